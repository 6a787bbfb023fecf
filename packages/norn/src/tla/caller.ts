/** The folder of the file that called a function of norn: what relative paths in such calls begin at. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `at f (file:1:2)`, `at file:1:2`; files by their paths or URLs. */
const FRAME = /^\s+at (?:.*? \()?(?:async )?(file:\/\/.*?|\/.*?|[A-Za-z]:\\.*?)(?:\?[^:]*)?:\d+:\d+\)?$/

/** As it was before any code under test could change it. */
const ROOT = process.cwd()

/** @param called the function that was called; the working directory where nobody can tell who did */
export function callerFolder(called: Function): string {
  const { stackTraceLimit } = Error
  const trace: { stack?: unknown } = {}
  Error.stackTraceLimit = 1
  try {
    Error.captureStackTrace(trace, called)
    const frames = typeof trace.stack === 'string' ? trace.stack.split('\n') : []
    for (const line of frames) {
      const file = FRAME.exec(line)?.[1]
      if (file !== undefined) return dirname(file.startsWith('file:') ? fileURLToPath(file) : file)
    }
    return ROOT
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
