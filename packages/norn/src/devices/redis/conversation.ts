/**
 * One connection of a client of Redis, read beside the program. A unit is a command, or a transaction that came in one
 * piece, from MULTI to EXEC. Pure.
 */
import type { Conversation, Protocol, ServerError, Unit } from '../device.ts'
import { Values, valueText, words, wordText } from './resp.ts'

export const redisProtocol: Protocol = {
  conversation: () => new RedisConversation(),
  openingErrors: [{ code: 'ERR', text: 'max number of clients reached' }],
  // By default it writes once a second.
  writesLate: true,
  seesLeaving: true,
}

/** Commands whose second word is a part of their name. */
const WITH_SUBCOMMAND = /^(?:client|config|script|function|xgroup|xinfo|object|cluster|acl|pubsub)$/i
/** Words of a command that are shown. */
const MAX_WORDS = 8

class RedisConversation implements Conversation {
  readonly #client = new Values()
  readonly #server = new Values()

  units(bytes: Uint8Array): readonly Unit[] {
    const units: Unit[] = []
    let open: Unit[] | undefined
    for (const command of this.#client.take(bytes)) {
      const all = words(command)
      const [first = Buffer.alloc(0)] = all
      const verb = first.toString('latin1').toLowerCase()
      const unit = { bytes: command, ...textsOf(verb, all) }
      if (verb === 'multi' && open === undefined) open = []
      if (open === undefined) {
        if (all.length > 0) units.push(unit)
        continue
      }
      open.push(unit)
      if (verb !== 'exec' && verb !== 'discard') continue
      units.push(joined(open))
      open = undefined
    }
    return open === undefined ? units : [...units, ...open]
  }

  errors(): readonly ServerError[] {
    return []
  }

  answer(bytes: Uint8Array): string {
    return this.#server.take(bytes).map(valueText).join(', ')
  }
}

function joined(units: readonly Unit[]): Unit {
  return {
    bytes: Buffer.concat(units.map(({ bytes }) => bytes)),
    text: units.map(({ text }) => text).join('; '),
    name: units.map(({ name }) => name).join('; '),
  }
}

/** The name has the command and its key, the text its values too. */
function textsOf(verb: string, all: readonly Buffer[]): Pick<Unit, 'text' | 'name'> {
  const shown = all.slice(0, MAX_WORDS).map(wordText)
  const isScript = verb === 'eval' || verb === 'evalsha'
  const name = isScript ? [verb] : shown.slice(0, WITH_SUBCOMMAND.test(verb) ? 3 : 2)
  const more = all.length > MAX_WORDS ? ['…'] : []
  return { text: [...shown, ...more].join(' '), name: name.join(' ') }
}
