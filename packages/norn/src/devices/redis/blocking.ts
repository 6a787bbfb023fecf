/** Commands of Redis that may wait, and for how long: their patience is virtual, so the server has none. */
import { command } from './resp.ts'

/** Where the patience stands, in seconds: a place among the words, from the end if negative. */
const SECONDS: Readonly<Record<string, number>> = {
  blpop: -1,
  brpop: -1,
  brpoplpush: -1,
  blmove: -1,
  bzpopmin: -1,
  bzpopmax: -1,
  blmpop: 1,
  bzmpop: 1,
}

/** Those that wait for what norn's server does not have: replicas, and files. */
const WAITS: Readonly<Record<string, number>> = { wait: 2, waitaof: 3 }

export interface Blocking {
  /** The command as the server gets it: it waits without end. */
  readonly bytes: Buffer
  /** How long it waits, in microseconds; undefined if without end. */
  readonly patienceUs: number | undefined
}

/** Reads a command that may wait; undefined if it does not. */
export function blockingOf(words: readonly Buffer[]): Blocking | undefined {
  const verb = words[0]!.toString('latin1').toLowerCase()
  const place = SECONDS[verb]
  if (place !== undefined) return replaced(words, place < 0 ? words.length + place : place, 1_000_000)
  if (WAITS[verb] !== undefined) return replaced(words, WAITS[verb], 1000)
  if (verb !== 'xread' && verb !== 'xreadgroup') return undefined
  const at = words.findIndex((word) => word.toString('latin1').toLowerCase() === 'block')
  return at < 0 ? undefined : replaced(words, at + 1, 1000)
}

function replaced(words: readonly Buffer[], at: number, unitUs: number): Blocking {
  const patience = Number(words[at])
  // What is no number the server refuses.
  if (Number.isNaN(patience) || patience < 0) return { bytes: command(...words), patienceUs: undefined }
  const bytes = command(...words.map((word, index) => (index === at ? '0' : word)))
  return { bytes, patienceUs: patience === 0 ? undefined : Math.round(patience * unitUs) }
}
