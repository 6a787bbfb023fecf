/**
 * The values of JSON files, made anew for each execution. From the second time on, the text runs as
 * an expression: V8 copies what the first run made, in a tenth of the time of parsing.
 */
import vm from 'node:vm'

/** Where an expression may differ from JSON: this key sets the prototype, and escapes can write it. */
const DIFFERS = /__proto__|\\u/

type Make = () => unknown

/** By the unit of the file; undefined after its first time, as many files are loaded once. */
const makers = new WeakMap<object, Make | undefined>()

/** @throws SyntaxError that begins with the path */
export function jsonValue(unit: { readonly source: string; readonly path: string }): unknown {
  const { source, path } = unit
  const make = makers.get(unit)
  if (make !== undefined) return make()
  const isKnown = makers.has(unit)
  const value = parseJson(source, path)
  makers.set(unit, isKnown ? maker(source, path) : undefined)
  return value
}

function maker(source: string, path: string): Make {
  const parse = () => parseJson(source, path)
  if (DIFFERS.test(source)) return parse
  try {
    const make = vm.compileFunction(`return (${source})`, [], { filename: path }) as Make
    make()
    return make
  } catch {
    // It is nested too deeply.
    return parse
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    ;(error as Error).message = `${path}: ${(error as Error).message}`
    throw error
  }
}
