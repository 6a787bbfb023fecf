/** Parses stack traces and keeps the program's own frames: not Node's, norn's or fast-check's. */
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A frame of a stack: a position in a source file, lines and columns counted from 1. */
export interface Origin {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly functionName: string
}

/** Paths whose frames are not the program's. */
const FAST_CHECK = `${sep}node_modules${sep}fast-check${sep}lib${sep}`
const NORN = resolve(dirname(fileURLToPath(import.meta.url)), '..') + sep

/** `at f (file:1:2)`, `at async f (file:1:2)`, `at file:1:2`, `at async file:1:2`. */
const FRAME = /^\s+at (?:(async )?(.*?) \(|async )?(?:file:\/\/)?((?:\/|[A-Za-z]:\\).*?):(\d+):(\d+)\)?$/

/** The program's frames of a stack, innermost first. */
export function callSites(stack: string): Origin[] {
  const frames: Origin[] = []
  for (const line of stack.split('\n')) {
    const match = FRAME.exec(line)
    if (match === null) continue
    const [, , functionName = '', file, lineNumber, column] = match
    if (file!.startsWith(NORN) || file!.includes(FAST_CHECK)) continue
    frames.push({ file: file!, line: Number(lineNumber), column: Number(column), functionName })
  }
  return frames
}
