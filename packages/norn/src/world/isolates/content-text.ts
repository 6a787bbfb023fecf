/** What a message between isolates says, in a line for people. */
import { inspect } from 'node:util'
import { deserialize } from 'node:v8'
import { cut } from '../../contract/text.ts'
import { withReplaced } from '../realm/replaced-values.ts'
import type { Content } from './messaging-record.ts'

/** More than is kept, as paths get shorter. */
const MAX_TEXT = 1000
const MAX_DEPTH = 3
const SHAPE = {
  depth: MAX_DEPTH,
  maxArrayLength: 6,
  maxStringLength: 60,
  breakLength: Number.POSITIVE_INFINITY,
  compact: true,
  customInspect: false,
} as const

/** Nothing of the program runs: no getter, no `inspect` of its own. */
export function contentText(value: unknown): string {
  const text =
    value instanceof Error ? `${value.name}: ${value.message}` : inspect(withReplaced(value, portOf, MAX_DEPTH), SHAPE)
  return cut(text.replace(/\n\s+at .*/g, '').replace(/\s*\n\s*/g, ' '), MAX_TEXT)
}

/** Ports have nothing to show but fields of Node's own. */
const PORT = new (class MessagePort {})()
const portOf = (value: object) => (value instanceof MessagePort ? PORT : undefined)

/**
 * A message on the channel of a child process, as lib/internal/child_process/serialization.js writes it:
 * lines of JSON, or values of V8 behind their length. Undefined for what Node says to itself.
 */
export function channelContent(bytes: Uint8Array): Content | undefined {
  const values = valuesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (values.length > 0 && values.every(isNodes)) return undefined
  const text = values.length === 0 ? `${bytes.length} bytes` : values.map(contentText).join(', ')
  return { what: 'message', text: cut(text, MAX_TEXT) }
}

function valuesOf(bytes: Buffer): unknown[] {
  try {
    if (bytes[0] !== 0)
      return bytes
        .toString('utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    return [deserialize(bytes.subarray(4))]
  } catch {
    return []
  }
}

/** Node's own messages bear a command of this prefix. */
function isNodes(value: unknown): boolean {
  const command = typeof value === 'object' && value !== null ? Reflect.get(value, 'cmd') : undefined
  return typeof command === 'string' && command.startsWith('NODE_')
}
