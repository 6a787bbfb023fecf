/**
 * Compiles a CommonJS module to a function that each execution calls, and finds the export names
 * that an `import` sees.
 *
 * Invariants: no line moves, and columns move only in instrumented code and in tests that replace
 * modules (`import(` becomes another identifier of six characters). Names are found by Node's lexer,
 * without running the module.
 * Follows wrapSafe and cjsPreparseModuleExports of Node 24.
 */
import vm from 'node:vm'
import type { Program } from 'acorn'
import * as lexer from 'cjs-module-lexer'
import MagicString from 'magic-string'
import { rewriteWaits } from './blocking-waits.ts'
import { type Inserted, isUserCode } from './coverage.ts'
import { type Instrument, parseError } from './esm-code.ts'
import { BY_LOADER } from './evaluated-imports.ts'
import { callsMocks, type Hoisted, hoist } from './hoisting.ts'
import { parsePhases, withoutPhases } from './import-phases.ts'
import { placeOfCompileError, sourceError } from './source-error.ts'
import { stemFor } from './stem.ts'
import { walk } from './syntax-tree.ts'
import { type Fill, filled, markHoles } from './template.ts'

type CommonJsFunction = (
  this: unknown,
  exports: unknown,
  require: unknown,
  module: object,
  filename: string,
  directory: string,
  dynamicImport?: unknown,
  self?: object,
) => unknown

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname']

export interface CommonJsCode {
  readonly run: CommonJsFunction
  readonly usesDynamicImport: boolean
  /** The modules that it replaces: then `run` takes its cells. */
  readonly mocks?: Hoisted['mocks'] | undefined
  /** The source map to the source, generated at first use; only if columns moved. */
  readonly map: (() => string) | undefined
}

/** What a CommonJS module is rewritten to: plain data, a function of its text. */
export interface CommonJsText {
  /** Its holes are what the instrumentation names: see `template.ts`. */
  readonly template: string
  readonly stem: string
  readonly usesDynamicImport: boolean
  readonly mocks: Hoisted['mocks'] | undefined
  readonly inserted: Inserted | undefined
}

/** Undefined if the module runs as it is. */
export function commonJsText(source: string, path: string, instrument?: Instrument): CommonJsText | undefined {
  const rewritten = rewrite(source, path, instrument)
  if (rewritten === undefined) return undefined
  const { text, ...others } = rewritten
  return { ...others, template: text.toString() }
}

/** @param names what the instrumentation names */
export function compileCommonJs(
  source: string,
  path: string,
  rewritten = commonJsText(source, path),
  instrument?: Instrument,
  names?: Fill,
): CommonJsCode {
  const { template, stem = '', usesDynamicImport = false, mocks } = rewritten ?? {}
  try {
    const run = vm.compileFunction(
      withoutShebang(template === undefined ? source : filled(template, stem, names!)),
      usesDynamicImport || mocks ? [...PARAMETERS, stem, `${stem}self`] : PARAMETERS,
      {
        filename: path,
        importModuleDynamically: BY_LOADER,
      },
    )
    const map = () =>
      rewrite(source, path, instrument, names)!.text.generateMap({ source: path, hires: 'boundary' }).toString()
    const isMoved = template !== undefined && (instrument ?? mocks) !== undefined
    return { run: run as CommonJsFunction, usesDynamicImport, mocks, map: isMoved ? map : undefined }
  } catch (error) {
    const place = placeOfCompileError(error, path)
    throw place === undefined ? error : sourceError((error as Error).message, path, source, place)
  }
}

function withoutShebang(source: string): string {
  return source.startsWith('#!') ? `//${source.slice(2)}` : source
}

const importsDynamically = (source: string) => /\bimport\s*(?:[(.]|\/[*/])/.test(source)

/** Whether a module does not run as it is, even if it is not instrumented. */
export function isRewritten(source: string, path: string): boolean {
  return importsDynamically(source) || source.includes('Atomics.wait(') || (isUserCode(path) && callsMocks(source))
}

/** @param fill fills the holes; unless set, they are marked */
function rewrite(
  source: string,
  path: string,
  instrument: Instrument | undefined,
  fill?: Fill,
): (Omit<CommonJsText, 'template'> & { readonly text: MagicString }) | undefined {
  const dynamic = importsDynamically(source)
  const mocking = isUserCode(path) && callsMocks(source)
  if (instrument === undefined && !isRewritten(source, path)) return undefined
  let program: Program
  try {
    program = parsePhases(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
      ranges: true,
    }).program
  } catch (error) {
    // Compiling reports V8's error. A program that only V8 can parse runs uninstrumented.
    if (!dynamic) return undefined
    throw parseError(error, source, path)
  }
  const text = new MagicString(source)
  const stem = stemFor(source)
  let usesDynamicImport = false
  if (dynamic) {
    walk(program, (node) => {
      if (node.type !== 'ImportExpression') return
      usesDynamicImport = true
      text.update(node.start, node.start + 6, stem)
    })
  }
  const hoisted = mocking ? hoist(program, path, text, stem) : undefined
  if (hoisted !== undefined && hoisted.head !== '') {
    const directives = program.body.filter(
      (node) => node.type === 'ExpressionStatement' && node.directive !== undefined,
    )
    const start = directives.at(-1)?.end ?? program.body[0]!.start
    text.prependLeft(start, `;${hoisted.head}`)
  }
  rewriteWaits(program, text)
  const instrumentation = instrument?.(text, stem, fill ?? markHoles(stem))
  if (instrumentation !== undefined) walk(program, (node, ancestors) => instrumentation.visit(node, ancestors))
  return { text, stem, usesDynamicImport, mocks: hoisted?.mocks, inserted: instrumentation?.done() }
}

/** The export names that the lexer finds in a CommonJS text, and the modules it re-exports. */
export function exportNames(source: string, path: string): { names: string[]; reexports: string[] } {
  try {
    const { exports, reexports } = lexer.parse(withoutPhases(source), path)
    return { names: exports, reexports }
  } catch {
    return { names: [], reexports: [] } // What does not parse fails when it is compiled.
  }
}
