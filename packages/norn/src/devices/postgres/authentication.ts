/**
 * How a client proves who it is to PostgreSQL: by a password in clear, by MD5, or by SCRAM-SHA-256 (RFC 5802, 7677).
 * https://www.postgresql.org/docs/current/sasl-authentication.html
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { DeviceError } from '../device.ts'
import { int32, message, strings } from './messages.ts'

const OK = 0
const CLEAR = 3
const MD5 = 5
const SASL = { begin: 10, go: 11, end: 12 } as const

export class Authentication {
  readonly #user: string
  readonly #password: string | undefined
  readonly #nonce = randomBytes(18).toString('base64')
  #isDone = false

  constructor(user: string, password: string | undefined) {
    this.#user = user
    this.#password = password
  }

  get isDone(): boolean {
    return this.#isDone
  }

  /** What to send after the body of an Authentication message; undefined if the server goes on. */
  answer(body: Buffer): Buffer | undefined {
    const rest = body.subarray(4)
    switch (body.readInt32BE(0)) {
      case OK:
        this.#isDone = true
        return undefined
      case CLEAR:
        return message('p', this.#secret())
      case MD5: {
        const inner = md5(this.#secret() + this.#user)
        return message('p', `md5${md5(Buffer.concat([Buffer.from(inner), rest.subarray(0, 4)]))}`)
      }
      case SASL.begin: {
        if (!strings(rest).includes('SCRAM-SHA-256')) throw new DeviceError('it asks for a SASL mechanism unknown here')
        const first = Buffer.from(`n,,n=,r=${this.#nonce}`)
        return message('p', 'SCRAM-SHA-256', int32(first.length), first)
      }
      case SASL.go:
        return message('p', Buffer.from(this.#proof(rest.toString())))
      case SASL.end:
        return undefined
      default:
        throw new DeviceError(
          'it asks for a way to authenticate that norn does not have (not trust, password, MD5 or SCRAM)',
        )
    }
  }

  #secret(): string {
    if (this.#password === undefined) throw new DeviceError('it asks for a password: put it into the URL')
    return this.#password
  }

  #proof(challenge: string): string {
    const parts = Object.fromEntries(challenge.split(',').map((part) => [part[0], part.slice(2)]))
    const salted = pbkdf2Sync(
      this.#secret().normalize('NFKC'),
      Buffer.from(parts.s ?? '', 'base64'),
      Number(parts.i),
      32,
      'sha256',
    )
    const key = hmac(salted, 'Client Key')
    const withoutProof = `c=biws,r=${parts.r}`
    const signed = `n=,r=${this.#nonce},${challenge},${withoutProof}`
    const signature = hmac(createHash('sha256').update(key).digest(), signed)
    return `${withoutProof},p=${Buffer.from(key.map((byte, at) => byte ^ signature[at]!)).toString('base64')}`
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function md5(text: string | Buffer): string {
  return createHash('md5').update(text).digest('hex')
}
