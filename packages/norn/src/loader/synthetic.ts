/**
 * Cells over the properties of an object, for modules that are not ES modules.
 *
 * Invariants: each property has a function with its own source text, because a closure over a
 * variable name would make one megamorphic site of all reads. `values` has a null prototype, so
 * names of `Object.prototype` are safe.
 */
import vm from 'node:vm'
import { cellKey } from './esm-code.ts'
import type { Definer } from './unit.ts'

export function definerFor(names: Iterable<string>): Definer {
  const lines = [...names].map((name) => `c[${JSON.stringify(cellKey(name))}]=()=>v[${JSON.stringify(name)}];`)
  return vm.compileFunction(lines.join('\n'), ['c', 'v']) as Definer
}

/** Takes the values that an `import` of a CommonJS module sees, after it ran, as Node does. */
export function snapshot(exports: unknown, names: Iterable<string>, values: Record<string, unknown>): void {
  const holder =
    (typeof exports === 'object' && exports !== null) || typeof exports === 'function' ? exports : undefined
  for (const name of names) {
    if (name === 'default' || name === 'module.exports') values[name] = exports
    else if (holder !== undefined && Object.hasOwn(holder, name)) {
      try {
        values[name] = (holder as Record<string, unknown>)[name]
      } catch {
        // A getter that throws leaves its name undefined.
      }
    }
  }
}
