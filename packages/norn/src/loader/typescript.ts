/**
 * TypeScript to JavaScript, by the compiler inside Node.
 *
 * Invariant: types are replaced by blanks, so no position moves. Only a file that holds what cannot
 * be blanked (enums, namespaces, parameter properties) is rewritten, and then its source map is
 * kept.
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
