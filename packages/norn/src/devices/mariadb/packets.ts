/**
 * Packets of MariaDB's and MySQL's protocol: their frames, what they are made of, and the commands of clients.
 * https://mariadb.com/kb/en/clientserver-protocol/
 */

export interface Packet {
  /** Its number within a command. */
  readonly sequence: number
  /** As it was sent, with its head. */
  readonly bytes: Buffer
  readonly body: Buffer
}

/** A body of this length goes on in the next packet. */
const FULL = 0xff_ffff

/** What a client may ask for; the first byte of its packet. */
export const COMMAND = {
  quit: 1,
  initDb: 2,
  query: 3,
  fieldList: 4,
  shutdown: 8,
  statistics: 9,
  kill: 12,
  ping: 14,
  changeUser: 17,
  binlogDump: 18,
  registerSlave: 21,
  prepare: 22,
  execute: 23,
  longData: 24,
  closeStatement: 25,
  fetch: 28,
  resetConnection: 31,
  bulkExecute: 250,
} as const

/** Abilities that client and server agree on. */
export const CAPABILITY = {
  connectWithDatabase: 1 << 3,
  compress: 1 << 5,
  localFiles: 1 << 7,
  protocol41: 1 << 9,
  tls: 1 << 11,
  secureConnection: 1 << 15,
  pluginAuthentication: 1 << 19,
  attributes: 1 << 20,
  authenticationWithLength: 1 << 21,
  noEofPackets: 1 << 24,
} as const

/** Cuts bytes into packets; keeps what is not complete. */
export class Packets {
  #rest: Buffer = Buffer.alloc(0);

  *take(bytes: Uint8Array): Generator<Packet> {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    for (;;) {
      const bodies: Buffer[] = []
      let end = 0
      for (let length = FULL; length === FULL; end += 4 + length) {
        if (this.#rest.length < end + 4) return
        length = this.#rest.readUIntLE(end, 3)
        if (this.#rest.length < end + 4 + length) return
        bodies.push(this.#rest.subarray(end + 4, end + 4 + length))
      }
      const packet = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      yield {
        sequence: packet[3]!,
        bytes: packet,
        body: bodies.length === 1 ? bodies[0]! : Buffer.concat(bodies),
      }
    }
  }
}

/** A packet of parts: bytes, or texts that a zero ends. */
export function packet(sequence: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, body])
}

/** A command with what belongs to it, its text last. */
export function command(number: number, text: string | Uint8Array = ''): Buffer {
  return packet(0, Buffer.from([number]), Buffer.from(text))
}

/** A whole number of so many bytes. */
export function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}

/** Reads the body of a packet from its beginning. */
export class Reader {
  readonly #body: Buffer
  at = 0

  constructor(body: Buffer, at = 0) {
    this.#body = body
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#body.length
  }

  /** The last bytes of a packet may be missing: clients of other versions leave them out. */
  number(bytes: number): number {
    this.at += bytes
    return this.at > this.#body.length ? 0 : this.#body.readUIntLE(this.at - bytes, bytes)
  }

  /** A number that tells its own length; undefined for NULL. */
  length(): number | undefined {
    const first = this.number(1)
    if (first === 0xfb) return undefined
    if (first < 0xfb) return first
    if (first < 0xfe) return this.number(first === 0xfc ? 2 : 3)
    this.at += 8
    return Number(this.#body.readBigUInt64LE(this.at - 8))
  }

  bytes(length: number): Buffer {
    this.at += length
    return this.#body.subarray(this.at - length, this.at)
  }

  /** Bytes behind their length; undefined for NULL. */
  value(): Buffer | undefined {
    const length = this.length()
    return length === undefined ? undefined : this.bytes(length)
  }

  /** A text up to the zero that ends it, or to the end. */
  text(): string {
    const end = this.#body.indexOf(0, this.at)
    const bytes = this.bytes((end < 0 ? this.#body.length : end) - this.at)
    this.at++
    return bytes.toString('utf8')
  }

  rest(): Buffer {
    return this.#body.subarray(this.at)
  }
}
