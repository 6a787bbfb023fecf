/**
 * The exports of a module that is required while it loads: a plain object warns of properties that it does not have
 * yet, until its module has loaded.
 *
 * Follows `getExportsForCircularRequire` of lib/internal/modules/cjs/loader.js.
 */
import process from 'node:process'
import { types } from 'node:util'

const warn = (name: string | symbol) =>
  process.emitWarning(`Accessing non-existent property '${String(name)}' of module exports inside circular dependency`)

/** The prototype of plain exports meanwhile. */
const warning: object = new Proxy(Object.freeze({}), {
  get(target, name) {
    // Compilers ask for `__esModule`.
    if (name in target || name === '__esModule') return Reflect.get(target, name)
    return warn(name)
  },
  getOwnPropertyDescriptor(_, name) {
    if (name !== '__esModule') warn(name)
    return undefined
  },
})

const hasPrototype = (exports: unknown, prototype: object): exports is object =>
  typeof exports === 'object' &&
  exports !== null &&
  !types.isProxy(exports) &&
  Object.getPrototypeOf(exports) === prototype

/** What a `require` gets of a module that has not loaded. */
export function exportsWhileLoading({ exports }: { readonly exports: unknown }): unknown {
  if (hasPrototype(exports, Object.prototype) && !(exports as { __esModule?: unknown }).__esModule)
    Object.setPrototypeOf(exports, warning)
  return exports
}

/** The module has loaded. */
export function haveLoaded(exports: unknown): void {
  if (hasPrototype(exports, warning)) Object.setPrototypeOf(exports, Object.prototype)
}
