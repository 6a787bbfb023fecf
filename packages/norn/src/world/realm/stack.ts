/** Parses stack traces and keeps the program's own frames: not Node's, norn's or fast-check's. */
import { createRequire } from 'node:module'
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
const FAST_CHECK = /[\\/]node_modules[\\/]fast-check[^\\/]*[\\/]lib[\\/]/
const NORN = resolve(dirname(fileURLToPath(import.meta.url)), '../..') + sep
/** It calls the program's functions when it records them. */
const HISTORY = dirname(createRequire(import.meta.url).resolve('norn-history')) + sep

function isNorns(file: string): boolean {
  return file.startsWith(NORN) || file.startsWith(HISTORY)
}

/** `at new Promise (<anonymous>)`, `at <anonymous>`. */
const BUILTIN_FRAME = /^\s+at (?:.* \()?<anonymous>\)?$/

/** `at f (file:1:2)`, `at async f (file:1:2)`, `at file:1:2`, `at async file:1:2`. */
const FRAME = /^\s+at (?:(async )?(.*?) \(|async )?(?:file:\/\/)?((?:\/|[A-Za-z]:\\).*?):(\d+):(\d+)\)?$/

/** Whether the stack was captured in a function of the language that the program called. */
export function callsBuiltin(stack: string): boolean {
  const lines = stack.split('\n')
  const builtin = lines.findIndex((line) => BUILTIN_FRAME.test(line))
  const [within, caller = ''] = [lines.slice(0, Math.max(0, builtin)), lines[builtin + 1]]
  return builtin >= 0 && callSites(within.join('\n')).length === 0 && callSites(caller).length > 0
}

/** A stack, or a text that has one, without norn's own frames. */
export function withoutNorn(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isNorns(FRAME.exec(line)?.[3] ?? ''))
    .join('\n')
}

/** The functions that set timers, and what they are called by in ticks. */
const TIMERS = /\(?node:(?:internal\/)?(?:timers|process\/task_queues|async_hooks)[/:]/

/** Whether Node's own code runs above the program's frames, but for functions that set timers. */
export function isWithinNode(stack: string): boolean {
  for (const line of stack.split('\n')) {
    if (callSites(line).length > 0) return false
    if (line.includes('node:') && !TIMERS.test(line)) return true
  }
  return false
}

/** The program's frames of a stack, innermost first. */
export function callSites(stack: string): Origin[] {
  const frames: Origin[] = []
  for (const line of stack.split('\n')) {
    const match = FRAME.exec(line)
    if (match === null) continue
    const [, , functionName = '', file, lineNumber, column] = match
    if (isNorns(file!) || FAST_CHECK.test(file!)) continue
    frames.push({ file: file!, line: Number(lineNumber), column: Number(column), functionName })
  }
  return frames
}
