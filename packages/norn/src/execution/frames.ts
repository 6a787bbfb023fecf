/**
 * Readable stacks: positions in the user's source, paths relative to the project root, no frames of
 * Node or norn.
 */
import { relative } from 'node:path'
import type { Frame } from '../contract/execution.ts'
import { withWrittenNames } from '../loader/stem.ts'
import { callSites, type Origin } from '../world/realm/stack.ts'

export interface Positions {
  root(): string
  /** Maps a position in transformed code to the user's source. */
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
 * V8 names an anonymous function after its surroundings. Names from the loader's code and from
 * anonymous objects are dropped.
 */
function nameOf(functionName: string): string {
  return /\b_norn_|^Object\.<anonymous>$/.test(functionName) ? '' : functionName
}

/** A line of a stack, in Node's format. */
export function frameLine({ file, line, column, functionName }: Frame): string {
  const place = `${file}:${line}:${column}`
  return `    at ${functionName === '' ? place : `${functionName} (${place})`}`
}

/** A stack with its message and the program's frames only. */
export function readableStack(stack: string, positions: Positions): string {
  const lines = stack.split('\n')
  const firstFrame = lines.findIndex((line) => /^\s+at /.test(line))
  const message = firstFrame < 0 ? lines : lines.slice(0, firstFrame)
  const frames = framesOf(stack, positions).map(frameLine)
  return [readableMessage(message.join('\n'), positions), ...frames].join('\n')
}

/** A stack frame quoted in a message, such as the diff of an assertion. */
const QUOTED_FRAME = /^([+-]?\s*)(\s{4}at .*)$/

/** A message with the stacks and names that it quotes made readable. */
export function readableMessage(message: string, positions: Positions): string {
  const lines = message.split('\n').flatMap((line) => {
    const [, mark, frame] = QUOTED_FRAME.exec(line) ?? []
    if (frame === undefined) return [line]
    return framesOf(frame, positions).map((own) => mark + frameLine(own))
  })
  return withWrittenNames(lines.join('\n'))
}
