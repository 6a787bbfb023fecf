/** How a client of MariaDB begins: the server greets, the client names itself. */
import { CAPABILITY, COMMAND, number, packet, Reader } from './packets.ts'

const PLUGIN = 'mysql_native_password'
const MAX_PACKET = 1 << 24

/** What the device does not offer. */
const NOT_OFFERED = CAPABILITY.tls | CAPABILITY.compress | CAPABILITY.localFiles
/** What clients say in their own way. */
const OF_LOGIN = CAPABILITY.connectWithDatabase | CAPABILITY.attributes | CAPABILITY.authenticationWithLength

/** Where what differs between connections stands in a greeting, behind the version. */
const PLACES = { id: 0, salt: 4, capabilities: 13, moreCapabilities: 18, extensions: 27, moreSalt: 31 } as const

/** The real greeting of a server, as a session of the world gets it: the same each time. */
export function greeting(real: Buffer, session: number): Buffer {
  const body = Buffer.from(real)
  const start = body.indexOf(0) + 1
  const offered = capabilitiesOf(body) & ~NOT_OFFERED
  body.writeUInt32LE(session, start + PLACES.id)
  body.fill('norn', start + PLACES.salt, start + PLACES.salt + 8)
  body.writeUInt16LE(offered & 0xffff, start + PLACES.capabilities)
  body.writeUInt16LE((offered >>> 16) & 0xffff, start + PLACES.moreCapabilities)
  // Those of MariaDB alone, which change what packets look like.
  body.writeUInt32LE(0, start + PLACES.extensions)
  body.fill('norn', start + PLACES.moreSalt, start + PLACES.moreSalt + 12)
  return packet(0, body)
}

function capabilitiesOf(real: Buffer): number {
  const start = real.indexOf(0) + 1
  return real.readUInt16LE(start + PLACES.capabilities) | (real.readUInt16LE(start + PLACES.moreCapabilities) << 16)
}

/** What a client says of itself. */
export interface Login {
  readonly capabilities: number
  readonly charset: number
  readonly database: string
}

/** Reads a HandshakeResponse41; undefined if it is of an older protocol. */
export function loginOf(body: Buffer): Login | undefined {
  const reader = new Reader(body)
  const capabilities = reader.number(4)
  if ((capabilities & CAPABILITY.protocol41) === 0) return undefined
  reader.number(4)
  const charset = reader.number(1)
  reader.bytes(23)
  reader.text()
  if ((capabilities & CAPABILITY.authenticationWithLength) !== 0) reader.value()
  else if ((capabilities & CAPABILITY.secureConnection) !== 0) reader.bytes(reader.number(1))
  else reader.text()
  const database = (capabilities & CAPABILITY.connectWithDatabase) === 0 ? '' : reader.text()
  return { capabilities, charset, database }
}

/** What a connection of norn's own has to agree on, so that a client with these can use it. */
export function capabilitiesFor({ capabilities }: Login): number {
  const wanted = CAPABILITY.protocol41 | CAPABILITY.secureConnection | CAPABILITY.pluginAuthentication
  return (capabilities & ~NOT_OFFERED & ~OF_LOGIN) | wanted
}

/** The answer to a greeting: norn's own user has no password. */
export function response(capabilities: number, user: string): Buffer {
  const head = [number(capabilities >>> 0, 4), number(MAX_PACKET, 4), number(UTF8, 1), Buffer.alloc(23)]
  return packet(1, ...head, user, number(0, 1), PLUGIN)
}

const UTF8 = 45

/** Makes a connection as new: of a user without a password, in a database, with a character set. */
export function changeUser(user: string, { database, charset }: Pick<Login, 'database' | 'charset'>): Buffer {
  return packet(0, Buffer.from([COMMAND.changeUser]), user, number(0, 1), database, number(charset, 2), PLUGIN)
}

/** What a client's own COM_CHANGE_USER asks for. */
export function changed(body: Buffer): Pick<Login, 'database' | 'charset'> {
  const reader = new Reader(body, 1)
  reader.text()
  reader.bytes(reader.number(1))
  return { database: reader.text(), charset: reader.number(2) || UTF8 }
}
