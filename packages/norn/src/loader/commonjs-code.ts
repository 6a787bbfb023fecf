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
import { isUserCode } from './coverage.ts'
import { type Instrument, parseError } from './esm-code.ts'
import { BY_LOADER } from './evaluated-imports.ts'
import { callsMocks, type Hoisted, hoist } from './hoisting.ts'
import { parsePhases, withoutPhases } from './import-phases.ts'
import { placeOfCompileError, sourceError } from './source-error.ts'
import { stemFor } from './stem.ts'
import { walk } from './syntax-tree.ts'

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

/** @param instrument starts to insert counters and tracing calls into a text */
export function compileCommonJs(source: string, path: string, instrument?: Instrument): CommonJsCode {
  const dynamic = /\bimport\s*(?:[(.]|\/[*/])/.test(source)
  const waits = source.includes('Atomics.wait(')
  const mocking = isUserCode(path) && callsMocks(source)
  const needed = dynamic || waits || mocking || instrument !== undefined
  const {
    text,
    stem,
    usesDynamicImport = false,
    mocks,
  } = (needed && rewrite(source, path, { dynamic, mocking }, instrument)) || {}
  try {
    const run = vm.compileFunction(
      withoutShebang(text?.toString() ?? source),
      usesDynamicImport || mocks ? [...PARAMETERS, stem!, `${stem}self`] : PARAMETERS,
      {
        filename: path,
        importModuleDynamically: BY_LOADER,
      },
    )
    const map =
      text && (instrument ?? mocks) && (() => text.generateMap({ source: path, hires: 'boundary' }).toString())
    return { run: run as CommonJsFunction, usesDynamicImport, mocks, map }
  } catch (error) {
    const place = placeOfCompileError(error, path)
    throw place === undefined ? error : sourceError((error as Error).message, path, source, place)
  }
}

function withoutShebang(source: string): string {
  return source.startsWith('#!') ? `//${source.slice(2)}` : source
}

interface Rewritten {
  readonly text: MagicString
  readonly stem: string
  readonly usesDynamicImport: boolean
  readonly mocks: Hoisted['mocks'] | undefined
}

function rewrite(
  source: string,
  path: string,
  { dynamic, mocking }: { readonly dynamic: boolean; readonly mocking: boolean },
  instrument: Instrument | undefined,
): Rewritten | undefined {
  let program: Program
  try {
    program = parsePhases(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
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
  const instrumentation = instrument?.(text, stem)
  if (instrumentation !== undefined) {
    walk(program, (node, ancestors) => instrumentation.visit(node, ancestors))
    instrumentation.done()
  }
  return { text, stem, usesDynamicImport, mocks: hoisted?.mocks }
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
