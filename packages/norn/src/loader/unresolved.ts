/** Imports that lead to no module: which errors say so, and what the user can do. */

import { relative } from 'node:path'
import process from 'node:process'
import { aliasedBy, configuredAliases } from './configured-aliases.ts'
import { folderOf } from './paths.ts'
import { mappedPaths, tsconfigOf } from './tsconfig.ts'

/** The codes of `import` and of `require` for a specifier that leads to no file. */
const UNRESOLVED = new Set<unknown>([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_PACKAGE_IMPORT_NOT_DEFINED',
  'ERR_INVALID_MODULE_SPECIFIER',
])

export function isUnresolved(error: unknown): error is Error {
  return error instanceof Error && UNRESOLVED.has((error as { code?: unknown }).code)
}

/** Whether an import leads to a file of a kind that is not a module. */
export function isUnknownKind(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === 'ERR_UNKNOWN_FILE_EXTENSION'
}

/** Adds to the stack of an error, below the message, what to do. */
export function withAdvice(error: Error, specifier: string, importer: string): void {
  const advice = isUnknownKind(error) ? standIn(specifier) : adviceFor(specifier, importer)
  if (advice === undefined) return
  const stack = String(error.stack)
  const frames = stack.search(/\n {4}at /)
  const end = frames < 0 ? stack.length : frames
  error.stack = `${stack.slice(0, end)}\n${advice}${stack.slice(end)}`
}

const standIn = (specifier: string): string =>
  `Norn loads code, JSON and WebAssembly. Put a module in its place: alias: { '${specifier}': … } in norn.config.ts.`

function adviceFor(specifier: string, importer: string): string | undefined {
  if (/^(?:\.{1,2}(?:\/|$)|[a-z]+:)/.test(specifier)) return undefined
  const shown = (path: string) => relative(process.cwd(), path)
  try {
    const [mapped] = mappedPaths(specifier, importer)
    if (mapped !== undefined)
      return `${shown(tsconfigOf(importer)!.path)} maps it to ${shown(mapped)}, where there is no module.`
  } catch (error) {
    return (error as Error).message
  }
  const { known, unread } = configuredAliases(folderOf(importer))
  const alias = known.find((each) => aliasedBy(each, specifier) !== undefined)
  if (alias !== undefined)
    return `${shown(alias.file)} maps it to ${shown(aliasedBy(alias, specifier)!)}, where there is no module.`
  if (unread.length > 0)
    return `${shown(unread[0]!)} computes aliases, and norn does not run it: declare the alias in norn.config.ts, too.`
  return 'Install the package. If it is a path alias, declare it: paths in tsconfig.json, or alias in norn.config.ts.'
}
