/**
 * Stacks as a person reads them: positions in the user's source, paths relative to the project's
 * root, without the frames of Node's internals and of norn.
 */
import { relative } from 'node:path'
import type { Frame } from '../contract/execution.ts'
import { callSites, type Origin } from '../world/stack.ts'

export interface Positions {
  root(): string
  /** Maps a position in code that ran to the user's source. */
  original(file: string, line: number, column: number): { file: string; line: number; column: number }
}

const MAX_FRAMES = 12

/** The program's own frames, innermost first. */
export function framesOf(stack: string, positions: Positions): Frame[] {
  return callSites(stack)
    .slice(0, MAX_FRAMES)
    .map((site) => frameOf(site, positions))
}

export function frameOf(site: Origin, positions: Positions): Frame {
  const { file, line, column } = positions.original(site.file, site.line, site.column)
  return { file: relative(positions.root(), file), line, column, functionName: nameOf(site.functionName) }
}

/**
 * V8 names a function without a name after where it stands; where that is code of the loader, or on
 * an object that has no name either, it says nothing.
 */
function nameOf(functionName: string): string {
  return /\b_norn_|^Object\.<anonymous>$/.test(functionName) ? '' : functionName
}

/** One line of a stack, as Node writes it. */
export function frameLine({ file, line, column, functionName }: Frame): string {
  const place = `${file}:${line}:${column}`
  return `    at ${functionName === '' ? place : `${functionName} (${place})`}`
}

/** The message of a stack and the program's own frames. */
export function readableStack(stack: string, positions: Positions): string {
  const lines = stack.split('\n')
  const firstFrame = lines.findIndex((line) => /^\s+at /.test(line))
  const message = firstFrame < 0 ? lines : lines.slice(0, firstFrame)
  const frames = framesOf(stack, positions).map(frameLine)
  return [readableMessage(message.join('\n'), positions), ...frames].join('\n')
}

/** A line of a stack that a message quotes, as the difference that an assertion shows does. */
const QUOTED_FRAME = /^([+-]?\s*)(\s{4}at .*)$/

/**
 * A message whose quoted stacks are cleaned as stacks are: the rest of it is the program's own
 * words.
 */
export function readableMessage(message: string, positions: Positions): string {
  const lines = message.split('\n').flatMap((line) => {
    const [, mark, frame] = QUOTED_FRAME.exec(line) ?? []
    if (frame === undefined) return [line]
    return framesOf(frame, positions).map((own) => mark + frameLine(own))
  })
  return lines.join('\n')
}
