/** The lines of Maelstrom's protocol (doc/protocol.md there). */
import type { Body } from './services.ts'

export interface Envelope {
  readonly src: string
  readonly dest: string
  readonly body: Body
}

/** @returns the envelope, or what is wrong with the line */
export function parseLine(line: string): Envelope | string {
  let parsed: Partial<Envelope> | null
  try {
    parsed = JSON.parse(line)
  } catch (error) {
    return (error as Error).message
  }
  if (typeof parsed?.dest !== 'string') return 'it has no dest'
  if (typeof parsed.src !== 'string') return 'it has no src'
  if (typeof parsed.body?.type !== 'string') return 'it has no body with a type'
  return parsed as Envelope
}

export function lineOf(src: string, dest: string, body: object): string {
  return JSON.stringify({ src, dest, body })
}

/** Stands in a body for its sender if that is not the node that sent it, as if it passed on a client's request. */
const ON_BEHALF = 'on behalf of'

/** A message as the cluster sees it: the body, with its `type`. */
export function messageOf({ src, body }: Envelope, node: string): Body {
  return src === node ? body : { ...body, [ON_BEHALF]: src }
}

export function lineOfMessage(from: string, to: string, message: Body): string {
  const { [ON_BEHALF]: src = from, ...body } = message
  return lineOf(src as string, to, body)
}
