/**
 * Compiles an ES module to a function that each execution calls.
 *
 * `import`s and `export`s are blanked out; the rest stays in place, inside a generator:
 *
 *     function* (self, …cells) { define(); yield; BODY  function define() { self.$x = () => x; … } }
 *
 * The first step creates the function declarations and a getter (a *cell*) for each exported
 * variable; the second step runs the body. So functions can be called across an import cycle before
 * a body runs, and `let`, `const` and `class` throw their own ReferenceError when read too early. A
 * use of an imported `x` becomes a call of its cell, `_norn_0.$x()`: the value is live, and `x()`
 * keeps its `this` undefined. A module with top-level await becomes an async function without the
 * first step: its body starts in the same tick as in Node, but its functions cannot be called
 * earlier. A file of tests that mocks modules does that in the first step (`hoisting.ts`).
 *
 * Invariants: no line moves; columns move only after a use of an imported name or a default export
 * on the same line (`positions.ts` maps them). A file is compiled once, so optimisations by V8
 * carry over to later executions.
 */
import vm from 'node:vm'
import type { Program } from 'acorn'
import MagicString from 'magic-string'
import { rewriteWaits } from './blocking-waits.ts'
import { type CommonJsName, commonJsNamesIn, commonJsParameters } from './commonjs-names.ts'
import type { Inserted, Instrumentation } from './coverage.ts'
import { DEFAULT, type ModuleShape, NAMESPACE, shapeOf, USE } from './esm-shape.ts'
import { BY_LOADER } from './evaluated-imports.ts'
import { parseWithoutTypes } from './exported-types.ts'
import { type Hoisted, hoist } from './hoisting.ts'
import { type Parsed, parsePhases } from './import-phases.ts'
import { isTypeScript } from './javascript.ts'
import { type Place, placeAt, placeOfCompileError, sourceError } from './source-error.ts'
import { stemFor } from './stem.ts'
import { isAnonymous, walk } from './syntax-tree.ts'
import { type Fill, filled, markHoles } from './template.ts'
import { compilerOptionsOf, type OptionsOf } from './tsconfig.ts'

/** What a module is rewritten to without its imports: plain data, a function of its text. */
export interface DraftText {
  readonly shape: ModuleShape
  /** Its holes are the uses of imported names, and what the instrumentation names: see `template.ts`. */
  readonly template: string
  readonly stem: string
  readonly usesMeta: boolean
  readonly usesDynamicImport: boolean
  /** Whether it has a direct `eval`, whose code sees imported names. */
  readonly usesEval: boolean
  /** Whether it has `export default function () {}`, whose name is not an identifier. */
  readonly unnamedFunction: boolean
  /** Names that compilers give a module when they make CommonJS of it, as far as it uses them. */
  readonly commonJsNames: readonly CommonJsName[]
  /** Undefined if it replaces no modules. */
  readonly hoisted: Hoisted | undefined
  readonly inserted: Inserted | undefined
}

/** A module that is parsed, and rewritten as far as possible without its imports. */
export interface Draft extends DraftText {
  readonly path: string
  readonly source: string
  /** What the instrumentation names. */
  readonly names: Fill | undefined
  readonly rewriting: Rewriting
}

/** How a module is rewritten; without the result, which takes much memory. */
export interface Rewriting {
  readonly path: string
  readonly source: string
  readonly stem: string
  readonly instrument: Instrument | undefined
  /** What the holes are filled with, once it is compiled. */
  fill: Fill | undefined
}

/** Starts to insert counters and tracing calls into a text. */
export type Instrument = (text: MagicString, stem: string, fill: Fill) => Instrumentation

/** The target of an imported name: a variable of a module, by argument index, or a namespace. */
export interface Cell {
  readonly argument: number
  readonly name: string | typeof NAMESPACE
  /** A property of the variable that is read in its place. */
  readonly property?: string | undefined
  /** Whether it is what code compiled to CommonJS takes for the default of `module.exports`. */
  readonly isInterop?: boolean | undefined
}

/**
 * The arguments: self, import(), import.meta, const-assignment, the cells of imported modules, and what gives
 * their namespaces.
 */
export type ModuleFunction = (
  ...arguments_: unknown[]
) => Generator<void, void, void> | AsyncGenerator<void, void, void> | Promise<void>

/** The key of a variable's getter in its cells. */
export const cellKey = (variable: string): string => `$${variable}`

/** A module that is not instrumented. */
export function draft(source: string, path: string): Draft {
  return draftOf(draftText(source, path), path, source)
}

export function draftText(source: string, path: string, instrument?: Instrument, optionsOf?: OptionsOf): DraftText {
  const { text, ...rewritten } = rewrite(source, path, { instrument, optionsOf })
  return { ...rewritten, template: text.toString() }
}

export function draftOf(text: DraftText, path: string, source: string, instrument?: Instrument, names?: Fill): Draft {
  return { ...text, path, source, names, rewriting: { path, source, stem: text.stem, instrument, fill: undefined } }
}

/** The source map of a rewritten module to its source, in JSON. */
export function mapOf({ source, path, instrument, stem, fill = markHoles(stem) }: Rewriting): string {
  return rewrite(source, path, { instrument, fill }).text.generateMap({ source: path, hires: 'boundary' }).toString()
}

interface RewriteOptions {
  readonly instrument: Instrument | undefined
  readonly optionsOf?: OptionsOf | undefined
  /** Fills the holes; unless set, they are marked. */
  readonly fill?: Fill
}

function rewrite(
  source: string,
  path: string,
  { instrument, optionsOf = compilerOptionsOf, fill }: RewriteOptions,
): Omit<DraftText, 'template'> & { readonly text: MagicString } {
  const parsed = parseModule(source, path)
  const { program } = parsed
  const shape = shapeOf(parsed, source, () => dropsTypes(path, optionsOf) && !/\beval\b/.test(source))
  const text = new MagicString(source)
  const stem = stemFor(source)
  const inHole = fill ?? markHoles(stem)
  if (source.startsWith('#!')) text.update(0, 2, '//')
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') blank(text, node.start, node.end)
    else if (node.type === 'ExportNamedDeclaration') {
      blank(text, node.start, node.declaration ? node.declaration.start : node.end)
    } else if (node.type === 'ExportDefaultDeclaration') writeDefault(text, node, source, stem)
  }
  if (isTypeScript(path)) allowDefaultType(program, shape, text)
  const unnamedFunction = program.body.some(
    (each) =>
      each.type === 'ExportDefaultDeclaration' &&
      each.declaration.type === 'FunctionDeclaration' &&
      !each.declaration.id,
  )
  const commonJsNames = commonJsNamesIn(program, source, path)
  const found = { usesMeta: false, usesDynamicImport: false, usesEval: false, unnamedFunction, commonJsNames }
  if (/\b(?:import\s*[.(/]|eval\b)/.test(source)) {
    walk(program, (node) => {
      if (node.type === 'MetaProperty' && node.meta.name === 'import') {
        found.usesMeta = true
        const lines = source.slice(node.start, node.end).replace(/[^\n\r\u2028\u2029]/g, '')
        text.update(node.start, node.end, `${stem}meta_${lines}`)
      } else if (node.type === 'ImportExpression') {
        found.usesDynamicImport = true
        text.update(node.start, node.start + 6, stem)
      } else if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'eval') {
        found.usesEval = true
      }
    })
  }
  const hoisted = hoist(program, path, text, stem)
  rewriteWaits(program, text)
  const instrumentation = instrument?.(text, stem, inHole)
  if (instrumentation !== undefined) walk(program, (node, ancestors) => instrumentation.visit(node, ancestors))
  let hole = 0
  for (const { uses } of shape.imports)
    for (let at = 0; at < uses.length; at += 3) text.update(uses[at]!, uses[at + 1]!, inHole(hole++))
  return { shape, text, stem, hoisted, inserted: instrumentation?.done(), ...found }
}

/** Whether TypeScript drops the imports of a file of which no name is used. */
function dropsTypes(path: string, optionsOf: OptionsOf): boolean {
  if (!isTypeScript(path)) return false
  try {
    return !(optionsOf(path).verbatimModuleSyntax ?? false)
  } catch {
    return true // The import that needs the configuration reports what is wrong with it.
  }
}

function parseModule(source: string, path: string): Parsed {
  try {
    const options = { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, ranges: true } as const
    return parsePhases(source, options, isTypeScript(path) ? parseWithoutTypes : undefined)
  } catch (error) {
    throw parseError(error, source, path)
  }
}

export function parseError(error: unknown, source: string, path: string): Error {
  const { message, pos } = error as { message: string; pos?: number }
  if (pos === undefined) return error as Error
  return sourceError(message.replace(/ \(\d+:\d+\)$/, ''), path, source, placeAt(source, pos))
}

/** Replaces a statement by an empty one of the same shape, so that the next stays separate. */
function blank(text: MagicString, start: number, end: number): void {
  const statement = text.original.slice(start, end)
  text.update(start, end, `;${statement.slice(1).replace(/[^\n\r\u2028\u2029]/g, ' ')}`)
}

type ExportDefault = Extract<Program['body'][number], { type: 'ExportDefaultDeclaration' }>

function writeDefault(text: MagicString, node: ExportDefault, source: string, stem: string): void {
  const { declaration } = node
  const keywords = /^export[\s\S]*?default/.exec(source.slice(node.start))![0].length
  const end = node.start + keywords
  if (declaration.type === 'FunctionDeclaration') {
    blank(text, node.start, end)
    if (declaration.id) return
    // Hoisting needs a name; `define` sets the proper one.
    const head = /^(async\s+)?function(\s*\*)?/.exec(source.slice(declaration.start))![0]
    text.appendLeft(declaration.start + head.length, ` ${stem}default`)
    return
  }
  if (declaration.type === 'ClassDeclaration' && declaration.id) {
    blank(text, node.start, end)
    return
  }
  const lines = source.slice(node.start, end).replace(/[^\n\r\u2028\u2029]/g, '')
  const anonymous = isAnonymous(declaration)
  // A property definition names an anonymous function or class as the export would.
  text.update(node.start, end, `const ${stem}default=${anonymous ? '{default:' : ''}${lines}`)
  const closed = source[node.end - 1] === ';' && declaration.end < node.end
  const tail = closed ? node.end - 1 : node.end
  text.appendLeft(tail, `${anonymous ? '}.default' : ''}${closed ? '' : ';'}`)
}

/** `export default Name` of what is only a type exports nothing: the name may be declared nowhere. */
function allowDefaultType({ body }: Program, { imports }: ModuleShape, text: MagicString): void {
  const declaration = body.find((node) => node.type === 'ExportDefaultDeclaration')?.declaration
  if (declaration?.type !== 'Identifier' || imports.some(({ local }) => local === declaration.name)) return
  text.appendRight(declaration.start, `typeof ${declaration.name}==='undefined'?void 0:`)
}

export interface Compiled {
  readonly run: ModuleFunction
  /** The modules whose namespaces it takes after the cells, by the index of their cells. */
  readonly namespaces: readonly number[]
}

/** Fills in the uses of imported names, in the order of `shape.imports`, and compiles. */
export function compile(draft: Draft, cells: readonly (Cell | undefined)[], modules: number): Compiled {
  const { shape, template, stem, path, source, hoisted, names } = draft
  const parameters = [`${stem}self`, stem, `${stem}meta_`, `${stem}const`]
  for (let n = 0; n < modules; n++) parameters.push(`${stem}${n}`)
  const namespaces: number[] = []
  const values: string[] = []
  let readers = ''
  for (const [index, { uses, local }] of shape.imports.entries()) {
    const cell = cells[index]
    if (cell?.name === NAMESPACE) {
      parameters.push(giverName(local, stem))
      namespaces.push(cell.argument)
    } else if (uses.length > 0 || draft.usesEval) readers += reader(cell, local, stem)
    for (let at = 2; at < uses.length; at += 3) {
      const how = uses[at]!
      let value = how & USE.written ? `${stem}const.${cellKey(local)}` : read(cell, local, stem)
      if (how & USE.constructed) value = `(${value})`
      values.push(how & USE.shorthand ? `${local}: ${value}` : value)
    }
  }
  parameters.push(...commonJsParameters(draft.commonJsNames, path, stem))
  const fill = (hole: number) => values[hole] ?? names!(hole)
  draft.rewriting.fill = fill
  const isStepped = !shape.topLevelAwait || hoisted !== undefined
  const kind = `${shape.topLevelAwait ? 'async ' : ''}function${isStepped ? '*' : ''}`
  const start = `${stem}define();${hoisted?.head ?? ''}${isStepped ? 'yield;' : ''}`
  // In parentheses, V8 compiles a function at once: it does not parse it first without compiling it.
  const head = draft.usesEval
    ? `return function(${parameters}){${readers}with(${scopeOf(draft, cells)})return (${kind}(){"use strict";${start}`
    : `"use strict";return (${kind}(${parameters}){${readers}${start}`
  const tail = `\n;function ${stem}define(){${definitions(draft)}}})`
  const code = `${head}${filled(template, stem, fill)}${tail}${draft.usesEval ? '()}' : ''}`
  try {
    const make = vm.compileFunction(code, [], {
      filename: path,
      columnOffset: -head.length,
      importModuleDynamically: BY_LOADER,
    }) as () => ModuleFunction
    return { run: make(), namespaces }
  } catch (error) {
    const place: Place | undefined = placeOfCompileError(error, path)
    throw place === undefined ? error : sourceError((error as Error).message, path, source, place)
  }
}

/** An object with the imported names, for code that a direct `eval` runs. */
function scopeOf({ shape, stem }: Draft, cells: readonly (Cell | undefined)[]): string {
  const getters = shape.imports.map(({ local }, index) => {
    const cell = cells[index]
    return cell === undefined ? '' : `get ${local}(){return ${read(cell, local, stem)}},`
  })
  return `{__proto__:null,${getters.join('')}}`
}

/** Of what gives an imported value. Messages of V8 quote it; `stem.ts` makes of it what is written. */
function giverName(local: string, stem: string): string {
  return `${stem}of_${local}`
}

/**
 * The use of an imported name. It begins as the name does: in code without semicolons, the statement before
 * would call what begins with a parenthesis.
 */
function read(cell: Cell | undefined, local: string, stem: string): string {
  const isPlain = cell !== undefined && !cell.isInterop && cell.property === undefined
  return isPlain && cell.name !== NAMESPACE ? cellRead(cell.argument, cell.name, stem) : `${giverName(local, stem)}()`
}

/** A function that reads what is neither a plain cell nor a namespace; empty where there is none. */
function reader(cell: Cell | undefined, local: string, stem: string): string {
  const name = giverName(local, stem)
  if (cell === undefined) return `function ${name}(){}`
  if (cell.name === NAMESPACE) return ''
  const value = cellRead(cell.argument, cell.name, stem)
  if (cell.isInterop) return `function ${name}(){const m=${value};return m?.__esModule?m.default:m}`
  return cell.property === undefined ? '' : `function ${name}(){return ${value}[${JSON.stringify(cell.property)}]}`
}

function cellRead(argument: number, name: string, stem: string): string {
  const key = cellKey(name)
  return `${stem}${argument}${/^[$\w]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}()`
}

function definitions({ shape, stem, unnamedFunction }: DraftText): string {
  const early = `throw new ReferenceError("Cannot access 'default' before initialization")`
  const cells = [...new Set(shape.localExports.values())].map((variable) => {
    const cell = `${stem}self[${JSON.stringify(cellKey(variable))}]=()=>`
    if (variable !== DEFAULT) return `${cell}${variable};`
    // The generated name must not appear in the error of an early read.
    return `${cell}{try{return ${stem}default}catch{${early}}};`
  })
  const naming = `Object.defineProperty(${stem}default,'name',{value:'default',configurable:true});`
  return cells.join('') + (unnamedFunction ? naming : '')
}
