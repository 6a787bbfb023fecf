/**
 * TypeScript to JavaScript, by Node's built-in compiler.
 *
 * Invariant: types become blanks, so positions stay. Only files with enums, namespaces or parameter
 * properties are rewritten, with a source map.
 */
import { type TypeScriptProblem, transformTypeScript } from './node-internals.ts'
import { sourceError } from './source-error.ts'

export interface JavaScript {
  code: string
  /** Source map (JSON) from `code` to the file, where positions moved. */
  map?: string
}

export function stripTypes(source: string, path: string): JavaScript {
  try {
    return { code: transformTypeScript(source, { mode: 'strip-only', filename: path }).code }
  } catch (problem) {
    if ((problem as TypeScriptProblem | undefined)?.code !== 'UnsupportedSyntax') throw explain(problem, source, path)
  }
  try {
    return transformTypeScript(source, { mode: 'transform', sourceMap: true, filename: path })
  } catch (problem) {
    throw explain(problem, source, path)
  }
}

function explain(problem: unknown, source: string, path: string): Error {
  const { message, startLine, startColumn } = problem as TypeScriptProblem
  if (typeof message !== 'string' || typeof startLine !== 'number') {
    return new SyntaxError(`${path}: ${typeof problem === 'string' ? problem : (message ?? 'not TypeScript')}`)
  }
  return sourceError(message, path, source, { line: startLine, column: startColumn + 1 })
}
