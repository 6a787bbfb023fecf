/**
 * Files in `.js` that only the project's own Babel can read: Flow, JSX, proposals. It transforms them as the
 * project configures it.
 *
 * Invariant: a file without `@flow` that V8 or acorn can parse is not transformed, whatever the configuration says.
 */

import { dirname } from 'node:path'
import process from 'node:process'
import { hostRequire } from './internals.ts'
import type { JavaScript } from './oxc.ts'
import { sourceError } from './source-error.ts'

interface Babel {
  loadPartialConfigSync(options: object): { hasFilesystemConfig(): boolean } | null
  transformSync(source: string, options: object): { readonly code: string; readonly map: object | null } | null
}

interface BabelError extends Error {
  readonly code?: string
  /** Line from 1, column from 0; only of a source that Babel cannot parse. */
  readonly loc?: { readonly line: number; readonly column: number }
}

/** What Babel may leave to the loader. */
const CALLER = {
  name: 'norn',
  supportsStaticESM: true,
  supportsDynamicImport: true,
  supportsTopLevelAwait: true,
  supportsExportNamespaceFrom: true,
}

const LEADING_COMMENTS = /^(?:\s|#!.*|\/\/.*|\/\*[\s\S]*?\*\/)*/

/** Whether `f<T>(x)` is a call with a type: Flow and Babel ask for this word, too. */
export function isFlow(source: string): boolean {
  return LEADING_COMMENTS.exec(source)![0].includes('@flow')
}

/** Finds the Babel of a file's project; undefined if it has none. */
export function babelOf(path: string): string | undefined {
  try {
    return hostRequire.resolve('@babel/core', { paths: [dirname(path)] })
  } catch {
    return undefined
  }
}

/**
 * Transforms a file by Babel, as its project configures it for tests.
 *
 * @param place of Babel
 * @returns undefined if the project does not configure Babel, or not for this file
 */
export function transformedByBabel(source: string, path: string, place: string): JavaScript | undefined {
  const babel = hostRequire(place) as Babel
  const options = {
    filename: path,
    cwd: dirname(path),
    rootMode: 'upward-optional',
    envName: process.env.BABEL_ENV ?? process.env.NODE_ENV ?? 'test',
    caller: CALLER,
    sourceMaps: true,
    compact: false,
  }
  if (babel.loadPartialConfigSync(options)?.hasFilesystemConfig() !== true) return undefined
  try {
    const made = babel.transformSync(source, options)
    return made === null
      ? undefined
      : { code: made.code, map: made.map ? JSON.stringify(made.map) : undefined, isForeign: true }
  } catch (error) {
    const { loc, message } = error as BabelError
    if (loc === undefined) throw error
    throw sourceError(message, path, source, { line: loc.line, column: loc.column + 1 })
  }
}
