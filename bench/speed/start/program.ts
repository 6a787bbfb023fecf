/** Writes a program as large projects have them: a graph of TypeScript, and a package of CommonJS. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Path of the file that declares the property, relative to the folder. */
export const FILE = 'large.fuzz.ts'

/** @param modules of TypeScript; the package has four tenths of it */
export function writeProgram(folder: string, modules: number): void {
  const chance = chanceOf(12_345)
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('package.json', '{ "type": "module" }')
  write('node_modules/package/package.json', '{ "name": "package", "version": "1.0.0", "main": "lib/0.js" }')
  const packed = Math.round(modules * 0.4)
  for (let at = 0; at < packed; at++) write(`node_modules/package/lib/${at}.js`, packedModule(at, below(at, packed)))
  for (let at = 0; at < modules; at++) {
    const near = Array.from({ length: 3 }, () => at + 1 + chance(60)).filter((each) => each < modules)
    write(`src/service-${at}.ts`, serviceModule(at, [...new Set([...below(at, modules), ...near])]))
  }
  write(FILE, PROPERTY)
}

/** The children of a node of a binary tree. */
const below = (at: number, count: number) => [2 * at + 1, 2 * at + 2].filter((each) => each < count)

function chanceOf(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % bound
  }
}

const PROPERTY = `import { fuzz, fc } from 'norn'
import { Service0, total0 } from './src/service-0.ts'
fuzz('adds', { n: fc.integer() }, async ({ n }) => {
  await new Service0().put0(1, 'x', ['0a', '0x'])
  if (typeof total0(n % 10) !== 'number') throw new Error('not a number')
})
`

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')

function serviceModule(at: number, imported: readonly number[]): string {
  const other = (method: number) => imported[method % imported.length]
  const call = (method: number) =>
    imported.length === 0
      ? ''
      : `if (this.count > 1000) await new Service${other(method)}({ name: value }).put${method}(id - 1, value)`
  const imports = imported.map(
    (each) => `import { Service${each}, total${each}, type Options${each} } from './service-${each}.ts'\n`,
  )
  const usesPackage = at % 5 === 0
  return `${imports.join('')}${usesPackage ? "import packed from 'package'\n" : ''}
export interface Options${at} { readonly name: string; readonly size?: number; readonly tags: readonly string[] }
type Row = { id: number; value: string; at: Date | undefined }
const DEFAULTS: Options${at} = { name: 'service ${at}', size: ${at}, tags: ['a', 'b', 'c${at}'] }

export class Service${at} {
  readonly #rows: Map<number, Row> = new Map()
  private readonly options: Options${at}
  count: number = 0

  constructor(options: Partial<Options${at}> = {}) {
    this.options = { ...DEFAULTS, ...options }
  }
${lines(
  6,
  (method) => `
  async put${method}(id: number, value: string | undefined, more: readonly string[] = []): Promise<Row | undefined> {
    if (value === undefined || id < 0) {
      const found = this.#rows.get(id)
      if (found === undefined) throw new RangeError(\`there is no row \${id} in \${this.options.name}\`)
      return found
    }
    for (const each of more) {
      if (each.startsWith('${method}') && this.options.tags.includes(each)) this.count++
      else if (each === '${method}x' || each.length > ${method + 3}) this.count += each.length
    }
    const row: Row = { id, value: value ?? 'none', at: id > ${method} ? new Date(id) : undefined }
    this.#rows.set(id, row)
    ${call(method)}
    return this.#rows.size > ${method} ? row : undefined
  }
`,
)}}

export function total${at}(n: number, options?: Options${at}): number {
  let sum: number = options?.size ?? ${at}
  for (let step = 0; step < n; step++) {
    switch (step % 4) {
      case 0: sum += step; break
      case 1: sum ^= step; break
      default: sum = (sum * 31) | 0
    }
  }
${imported.map((each) => `  if (n > ${100 + each}) sum += total${each}(n - 1)\n`).join('')}${usesPackage ? '  if (n > 500) sum += packed.run(n)\n' : ''}  return sum
}

export const table${at} = new Map(Object.entries({ one: 1, two: 2, three: total${at}(3) }))
`
}

function packedModule(at: number, required: readonly number[]): string {
  const sum = required.map((each) => `m${each}.run(n - 1)`).join(' + ') || 'n'
  return `'use strict'
${required.map((each) => `const m${each} = require('./${each}')\n`).join('')}${lines(
  8,
  (helper) => `
function helper${helper}(value, options) {
  options = Object.assign({ depth: ${helper}, strict: false }, options)
  if (typeof value === 'string' && value.length > options.depth) return value.slice(options.depth)
  if (Array.isArray(value)) return value.map((each) => helper${helper}(each, options))
  var out = {}
  for (var key in value) {
    if (Object.hasOwn(value, key)) out[key] = options.strict ? value[key] : helper${helper}(value[key], options)
  }
  return out
}
exports.helper${helper} = helper${helper}
`,
)}exports.at = ${at}
exports.run = function run(n) { return ${sum} }
`
}
