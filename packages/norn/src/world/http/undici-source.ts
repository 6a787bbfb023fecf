/**
 * Makes the module behind `fetch` cheap to evaluate, since each execution has one of its own.
 *
 * Its source is a bundle: modules of undici, each a function that runs when it is first required, and a tail that
 * requires what is exported. Edits leave what a program sees as it was:
 *
 * - What the module exports for WebSocket and EventSource is evaluated when it is asked for.
 * - A function that has its name already is not named again.
 * - Modules that are tables, which nothing writes once they are made, are evaluated once in a process, and the HTTP
 *   parser is compiled once. They are frozen: so nothing can be kept in them.
 *
 * Invariants: no line moves. An edit whose place is not found, as in another version of undici, is left out.
 */
import { compileFunction } from 'node:vm'
import { hostRequire, sourceOfInternal } from '../../loader/internals.ts'

export const UNDICI = 'internal/deps/undici/undici'

/** What instances share: tables by the names of the functions that require them, and the compiled parser. */
export type Tables = Readonly<Record<string, unknown>>

type Main<Exports> = (
  exports: Exports,
  require: NodeJS.Require,
  module: { exports: Exports },
  process: NodeJS.Process,
  tables: Tables,
) => void

export const NO_TABLES: Tables = Object.freeze(Object.create(null))

/** Modules that are tables, and what those need. */
const TABLES = ['lib/core/constants.js', 'lib/core/tree.js', 'lib/llhttp/utils.js', 'lib/llhttp/constants.js']

/** Code of the HTTP parser, and how the bundle compiles it. In some versions it does so asynchronously. */
const PARSER = 'lib/llhttp/llhttp_simd-wasm.js'
const COMPILING = /new WebAssembly\.Module\((require_\w+)\(\)\)/

const { Module } = Reflect.get(globalThis, 'WebAssembly') as { readonly Module: new (code: object) => object }

/** The parameter by which the bundle gets them. */
const GIVEN = '_norn_tables'

/** What objects inherit from that are not a table's own. */
const INHERITED: readonly unknown[] = [Object.prototype, Function.prototype, Array.prototype]

/** Compiles the bundle to a function that makes an instance. */
export function compileUndici<Exports>(source = sourceOfInternal(UNDICI)!): Main<Exports> {
  const parameters = ['exports', 'require', 'module', 'process', GIVEN]
  return compileFunction(withTables(withParser(withoutNaming(withLaterExports(source)))), parameters, {
    filename: `node:${UNDICI}`,
  }) as Main<Exports>
}

/** Evaluates the tables. Call it while no program has changed the language. */
export function makeTables(source = sourceOfInternal(UNDICI)!): Tables {
  const made = evaluated(source, TABLES)
  const tables: Record<string, unknown> = Object.create(null)
  for (const [name, required] of Object.entries(made)) {
    const table = required()
    freeze(table)
    tables[name] = () => table
  }
  const parser = compiledParser(source)
  return Object.freeze(parser === undefined ? tables : Object.assign(tables, { parser }))
}

/** Some of the modules, by the names of the functions that require them; none if one is missing. */
function evaluated(source: string, files: readonly string[]): Record<string, () => object> {
  const modules = files.flatMap((file) => moduleIn(source, file) ?? [])
  const head = source.slice(0, source.indexOf('\n};\n') + 4)
  if (!head.includes('var __commonJS =') || modules.length < files.length) return {}
  const text = `${head}${modules.map((each) => each.text).join('')}return { ${modules.map(({ name }) => name)} }`
  return (compileFunction(text, ['require']) as (require: NodeJS.Require) => Record<string, () => object>)(hostRequire)
}

function compiledParser(source: string): object | undefined {
  const name = COMPILING.exec(source)?.[1]
  const code = name && evaluated(source, [PARSER])[name]?.()
  if (code === undefined || code === '') return undefined
  try {
    return Object.freeze(new Module(code))
  } catch {
    // A processor without SIMD: undici then takes other code.
    return undefined
  }
}

function moduleIn(source: string, file: string): { readonly name: string; readonly text: string } | undefined {
  const at = source.indexOf(`__commonJS({\n  "${file}"(`)
  const start = source.lastIndexOf('\nvar ', at)
  const end = source.indexOf('\n});\n', at)
  const name = /^\nvar (\w+) = $/.exec(source.slice(start, at))?.[1]
  return at < 0 || end < 0 || name === undefined ? undefined : { name, text: source.slice(start, end + 5) }
}

function freeze(value: unknown): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return
  if (INHERITED.includes(value) || Object.isFrozen(value)) return
  Object.freeze(value)
  freeze(Object.getPrototypeOf(value))
  for (const key of Reflect.ownKeys(value)) freeze((value as Record<PropertyKey, unknown>)[key])
}

function withTables(source: string): string {
  return TABLES.reduce((text, file) => {
    const name = moduleIn(text, file)?.name
    return name === undefined
      ? text
      : text.replace(`\nvar ${name} = __commonJS(`, (found) => found.replace('__commonJS(', `${GIVEN}.${name} || $&`))
  }, source)
}

function withParser(source: string): string {
  if (moduleIn(source, PARSER)?.name !== COMPILING.exec(source)?.[1]) return source
  return source.replace(COMPILING, (found) => `(${GIVEN}.parser || ${found})`)
}

function withoutNaming(source: string): string {
  return source.replace('\nvar __name = (target, value) =>', '$& target.name === value ? target :')
}

/** As getters: each evaluates what it gives. */
function withLaterExports(source: string): string {
  const later = (name: string, value: string) =>
    `__defProp(module.exports, "${name}", { enumerable: true, configurable: true, get: () => ${value} });`
  const classes = /^module\.exports\.(\w+) = (require_(?:websocket|eventsource)\(\)\.\w+);$/gm
  const rest = source.replace(classes, (_, name: string, value: string) => later(name, value))
  const events = /^var \{ (\w+(?:, \w+)*) \} = (require_events\(\));$/m
  const [line, list, required] = events.exec(rest) ?? []
  const names = list?.split(', ') ?? []
  const assigned = (name: string) => `\nmodule.exports.${name} = ${name};\n`
  if (line === undefined || !names.every((name) => rest.includes(assigned(name)))) return rest
  return names.reduce(
    (text, name) => text.replace(assigned(name), `\n${later(name, `${required}.${name}`)}\n`),
    rest.replace(`\n${line}\n`, '\n\n'),
  )
}
