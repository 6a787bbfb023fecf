/**
 * Messages of PostgreSQL's protocol, version 3: their frames, and those that norn sends itself.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** A message as it was sent: its type is a character, empty for those that begin a connection. */
export interface Message {
  readonly type: string
  /** The whole message, with its type and length. */
  readonly bytes: Buffer
  /** What follows the length. */
  readonly body: Buffer
}

/** Codes in the place of a protocol version. */
export const CODES = { cancel: 80_877_102, tls: 80_877_103, gss: 80_877_104 } as const

/** Cuts bytes into messages; keeps what is not complete. */
export class Frames {
  #rest: Buffer = Buffer.alloc(0)
  /** Whether messages have no type: those of a client until it has named itself. */
  isUntyped: boolean

  constructor(isUntyped: boolean) {
    this.isUntyped = isUntyped
  }

  *take(bytes: Uint8Array): Generator<Message> {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    for (;;) {
      const at = this.isUntyped ? 0 : 1
      if (this.#rest.length < at + 4) return
      const end = at + this.#rest.readUInt32BE(at)
      if (this.#rest.length < end) return
      const message = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      yield {
        type: at === 0 ? '' : String.fromCharCode(message[0]!),
        bytes: message,
        body: message.subarray(at + 4),
      }
    }
  }
}

/** A message of a type with strings, each ended by a zero, and other parts as they are. */
export function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(type.length + 4)
  head.write(type)
  head.writeUInt32BE(body.length + 4, type.length)
  return Buffer.concat([head, body])
}

export const query = (sql: string) => message('Q', sql)

export function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

/** The strings of a body, each of which a zero ends. */
export function strings(body: Buffer, from = 0): string[] {
  const found: string[] = []
  for (let at = from; at < body.length; ) {
    const end = body.indexOf(0, at)
    if (end < 0) break
    found.push(body.toString('utf8', at, end))
    at = end + 1
  }
  return found
}

/** The fields of an error or a notice, by their letters. */
export function fields(body: Buffer): Readonly<Record<string, string>> {
  return Object.fromEntries(strings(body).map((field) => [field.slice(0, 1), field.slice(1)]))
}

/** An error as the server would send it. */
export function errorMessage(severity: 'ERROR' | 'FATAL', code: string, text: string): Buffer {
  return message('E', `S${severity}`, `V${severity}`, `C${code}`, `M${text}`, Buffer.from([0]))
}

/**
 * Values with their lengths, as rows and parameters have them; undefined for NULL.
 *
 * @param from where their count stands
 */
export function values(body: Buffer, from: number): (Buffer | undefined)[] {
  let at = from + 2
  return Array.from({ length: body.readUInt16BE(from) }, () => {
    const length = body.readInt32BE(at)
    at += 4 + Math.max(0, length)
    return length < 0 ? undefined : body.subarray(at - length, at)
  })
}
