/**
 * The text of a CommonJS module as a function that can be called once for every execution, and the names its exports
 * have for an `import`.
 *
 * Invariants: no position moves (`import(` becomes another identifier of six characters); the names are those Node
 * finds, by the same lexer, without running anything. Follows wrapSafe and cjsPreparseModuleExports of Node 24.
 */
import vm from 'node:vm'
import { parse } from 'acorn'
import * as lexer from 'cjs-module-lexer'
import MagicString from 'magic-string'
import { parseError, refuseNativeImport } from './esm-code.ts'
import { placeOfCompileError, sourceError } from './source-error.ts'
import { stemFor } from './stem.ts'
import { walk } from './syntax-tree.ts'

export type CommonJsFunction = (
  this: unknown,
  exports: unknown,
  require: unknown,
  module: object,
  filename: string,
  directory: string,
  dynamicImport?: unknown,
) => unknown

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname']

export interface CommonJsCode {
  readonly run: CommonJsFunction
  readonly usesDynamicImport: boolean
}

export function compileCommonJs(source: string, path: string): CommonJsCode {
  const dynamic = /\bimport\s*(?:\(|\/[*/])/.test(source) ? withOwnImport(source, path) : undefined
  try {
    const run = vm.compileFunction(
      dynamic?.code ?? withoutShebang(source),
      [...PARAMETERS, ...(dynamic?.names ?? [])],
      {
        filename: path,
        importModuleDynamically: refuseNativeImport as never,
      },
    )
    return { run: run as CommonJsFunction, usesDynamicImport: dynamic !== undefined }
  } catch (error) {
    const place = placeOfCompileError(error, path)
    throw place === undefined ? error : sourceError((error as Error).message, path, source, place)
  }
}

function withoutShebang(source: string): string {
  return source.startsWith('#!') ? `//${source.slice(2)}` : source
}

function withOwnImport(source: string, path: string): { code: string; names: string[] } | undefined {
  let found = false
  const text = new MagicString(source)
  const stem = stemFor(source)
  try {
    const program = parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
    })
    walk(program, (node) => {
      if (node.type !== 'ImportExpression') return
      found = true
      text.update(node.start, node.start + 6, stem)
    })
  } catch (error) {
    throw parseError(error, source, path)
  }
  return found ? { code: withoutShebang(text.toString()), names: [stem] } : undefined
}

/** The names that the exports of a CommonJS text seem to have, and the modules it re-exports. */
export function exportNames(source: string, path: string): { names: string[]; reexports: string[] } {
  try {
    const { exports, reexports } = lexer.parse(source, path)
    return { names: exports, reexports }
  } catch {
    return { names: [], reexports: [] } // What does not parse fails when it is compiled.
  }
}
