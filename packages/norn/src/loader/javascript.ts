/**
 * The JavaScript of a source file.
 *
 * Invariant: positions are exact. Types alone become blanks, by Node's own compiler, so nothing
 * moves. JSX, enums, namespaces, parameter properties and decorators are transformed, with a source
 * map; only files that have them pay for it. So are files in `.js` that are not JavaScript, if the
 * project has a Babel for them.
 */
import { compileFunction } from 'node:vm'
import { parse } from 'acorn'
import { babelOf, isFlow, transformedByBabel } from './babel.ts'
import { isUserCode } from './coverage.ts'
import { lowerDecorators } from './decorators.ts'
import { type TypeScriptProblem, transformTypeScript } from './node-internals.ts'
import { type JavaScript, leavesOutFields, transformSource } from './oxc.ts'
import { sourceError } from './source-error.ts'
import { compilerOptionsOf, type OptionsOf } from './tsconfig.ts'

/** Matches all files with decorators or `accessor`, and a few others. */
const MAYBE_DECORATED =
  /(?:^|[([,;}=>?:]|\{\s|\b(?:export|default|return))\s*@[\w$(]|(?:^|[{;}])\s*(?:(?:public|private|protected|static|override)\s+)*accessor\s+[\w$#["']/m

export function isTypeScript(path: string): boolean {
  return /\.(?:[mc]?ts|tsx)$/.test(path)
}

/** Whether a file is not JavaScript yet. */
export function isCompiled(path: string): boolean {
  return isTypeScript(path) || path.endsWith('.jsx')
}

/** The JavaScript of a text, without byte order mark. */
export function javaScriptOf(text: string, path: string, optionsOf: OptionsOf = compilerOptionsOf): JavaScript {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (!isCompiled(path)) return isUserCode(path) ? byBabel(source, path) : { code: source }
  const decorated = MAYBE_DECORATED.test(source)
  const isMore = decorated || path.endsWith('x') || leavesOutFields(source, path, optionsOf)
  const stripped = isMore ? undefined : withoutTypes(source, path)
  if (stripped !== undefined) return stripped
  const transformed = transformSource(source, path, optionsOf)
  return decorated && !parses(transformed.code) ? lowerDecorators(source, path) : transformed
}

/** What the project's Babel makes of a file that is not JavaScript; the file itself if none is in charge of it. */
function byBabel(source: string, path: string): JavaScript {
  const isMarked = isFlow(source)
  const place = babelOf(path)
  const isWanted = place !== undefined && (isMarked || !isJavaScript(source))
  // A marked file may be JavaScript as it stands, until the project has a Babel.
  return (isWanted ? transformedByBabel(source, path, place) : undefined) ?? { code: source, isForeign: isMarked }
}

/** The text with blanks for types; undefined if it has more of TypeScript than types. */
function withoutTypes(source: string, path: string): JavaScript | undefined {
  try {
    return { code: transformTypeScript(source, { mode: 'strip-only', filename: path }).code }
  } catch (problem) {
    if ((problem as TypeScriptProblem | undefined)?.code === 'UnsupportedSyntax') return undefined
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

/** Whether a text is the body of a CommonJS module, which V8 parses ten times as fast as acorn, or a module. */
function isJavaScript(code: string): boolean {
  try {
    compileFunction(code)
    return true
  } catch {
    return parses(code)
  }
}

/** Whether a text is JavaScript of today, which has no decorators. */
function parses(code: string): boolean {
  try {
    parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
    })
    return true
  } catch {
    return false
  }
}
