/** The message by which a client begins its session, and what it asks for. */
import { fields, strings } from './messages.ts'
import { literal, name } from './quoting.ts'

/** The pairs of a startup message. */
export function parametersOf(body: Buffer): [string, string][] {
  const all = strings(body, 4)
  return Array.from({ length: all.length >> 1 }, (_, index) => [all[2 * index]!, all[2 * index + 1]!])
}

/** The statements by which a session becomes as its client asks; the seed is that of `random()`. */
export function statementsOf(parameters: ReadonlyMap<string, string>, ownUser: string, seed: number): string[] {
  const { user = ownUser } = Object.fromEntries(parameters)
  // Settings of a connection are what RESET goes back to; these last as long as the session does.
  const settings = settingsOf(parameters).map(
    ([key, value]) => `select set_config(${literal(key)}, ${literal(value)}, false)`,
  )
  const authorization = user === ownUser ? [] : [`set session authorization ${name(user)}`]
  return [`select setseed(${seed})`, ...authorization, ...settings]
}

/** The settings that a client asks for when it connects. */
export function settingsOf(parameters: ReadonlyMap<string, string>): [string, string][] {
  const options = [...(parameters.get('options') ?? '').matchAll(/(?:-c\s*|--)([\w.]+)=((?:\\.|\S)*)/g)]
  const named = options.map(([, key, value]): [string, string] => [
    key!.replaceAll('-', '_'),
    value!.replace(/\\(.)/g, '$1'),
  ])
  const other = [...parameters].filter(([key]) => !['user', 'database', 'options', 'replication'].includes(key))
  return [...named, ...other.filter(([key]) => !key.startsWith('_pq_.'))]
}

/** The first error among messages of the server. */
export function errorIn(bytes: Buffer): { code: string; text: string } | undefined {
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== 69) continue
    const { C: code = '', M: text = '' } = fields(bytes.subarray(at + 5, at + 1 + bytes.readUInt32BE(at + 1)))
    return { code, text }
  }
  return undefined
}
