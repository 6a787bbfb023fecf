/**
 * What Node writes to standard error when an uncaught error ends a process. Follows
 * `PrintUncaughtException` of src/node_errors.cc. Does not throw, whatever the error is.
 */
import process from 'node:process'
import { inspect } from 'node:util'
import { callSites, withoutNorn } from '../realm/stack.ts'

/** @param read the text of a file; throws if there is none */
export function fatalText(error: unknown, read: (path: string) => string): string {
  return `${describe(error, read)}\n\nNode.js ${process.version}\n`
}

function describe(error: unknown, read: (path: string) => string): string {
  try {
    if (error instanceof Error) return `${placeOf(error, read)}${withoutNorn(inspect(error))}`
    return `${typeof error === 'object' ? inspect(error) : String(error)}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)`
  } catch {
    return 'Uncaught error'
  }
}

function placeOf({ stack }: Error, read: (path: string) => string): string {
  const site = callSites(String(stack))[0]
  if (site === undefined) return ''
  try {
    const line = read(site.file).split('\n')[site.line - 1]
    return `${site.file}:${site.line}\n${line}\n${' '.repeat(Math.max(0, site.column - 1))}^\n\n`
  } catch {
    return ''
  }
}
