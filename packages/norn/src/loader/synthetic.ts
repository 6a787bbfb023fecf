/**
 * Cells over the properties of an object, for modules that are no ES modules.
 *
 * Invariant: each property has a function of its own text, so V8 can see each read by itself (one
 * closure over a variable name would be read through one megamorphic site). `Object.prototype`
 * names are read from `values`, which has a null prototype.
 */
import vm from 'node:vm'
import { cellKey } from './esm-code.ts'
import type { Definer } from './unit.ts'

export function definerFor(names: Iterable<string>): Definer {
  const lines = [...names].map((name) => `c[${JSON.stringify(cellKey(name))}]=()=>v[${JSON.stringify(name)}];`)
  return vm.compileFunction(lines.join('\n'), ['c', 'v']) as Definer
}

/**
 * The values an `import` of a CommonJS module sees: a snapshot, taken when it has run. Follows
 * Node's translators.
 */
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
