/** Requires a module again with mocks for the modules that it requires, as tap's `t.mock` does. */
import { createRequire, Module } from 'node:module'

type Require = (this: { require: unknown }, id: string) => unknown

/**
 * @param from the file whose `require` finds the module
 * @param mocks by the specifier of the require, or by one relative to the same file
 */
export function requireWithMocks(path: string, from: string, mocks: Readonly<Record<string, unknown>>): unknown {
  const require = createRequire(from)
  const { cache } = require
  const file = require.resolve(path)
  const before = { ...cache }
  for (const key of Object.keys(cache)) if (!key.includes('node_modules')) delete cache[key]
  const prototype = Module.prototype as unknown as { require: Require }
  const real = prototype.require
  prototype.require = function (id) {
    return Object.hasOwn(mocks, id) ? mocks[id] : real.call(this, id)
  }
  try {
    return require(file)
  } finally {
    prototype.require = real
    for (const key of Object.keys(cache)) delete cache[key]
    Object.assign(cache, before)
  }
}
