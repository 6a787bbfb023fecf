/**
 * The quarantine: tests that are known to be flaky, so that a call fails only for new ones. A JSON file that is
 * committed beside the code:
 *
 *     [{ "test": "saves the cart", "file": "test/cart.test.ts", "by": "ada", "until": "2027-03-01" }]
 *
 * `file` and `fingerprint` (as `norn flaky` prints it) may narrow an entry down. An entry ends with its day.
 */
import { existsSync, readFileSync } from 'node:fs'
import { jsonFault } from '#shared/json-fault'
import { shortHash } from '../../contract/fingerprint.ts'
import { UsageError } from '../errors.ts'

/** Used if it is there. */
export const QUARANTINE_FILE = 'norn.quarantine.json'

interface Entry {
  readonly test: string
  readonly file?: string
  readonly fingerprint?: string
  readonly by: string
  /** The last day, in UTC: `2027-03-01`. */
  readonly until: string
}

/** A failure of a flaky test. */
export interface Quarantinable {
  readonly file: string
  readonly test: string
  /** The fingerprint of the failure. */
  readonly identity: string
}

export class Quarantine {
  readonly #entries: readonly Entry[]
  readonly #today: string

  /** @param nowMs since 1970 */
  constructor(entries: readonly Entry[], nowMs: number) {
    this.#entries = entries
    this.#today = new Date(nowMs).toISOString().slice(0, 10)
  }

  /** The entry that covers a failure; undefined if there is none, or it has ended. */
  entryFor(failure: Quarantinable): Entry | undefined {
    return this.#matching(failure).find(({ until }) => until >= this.#today)
  }

  /** An entry that covered a failure until its day. */
  endedFor(failure: Quarantinable): Entry | undefined {
    return this.#matching(failure).find(({ until }) => until < this.#today)
  }

  #matching({ file, test, identity }: Quarantinable): Entry[] {
    return this.#entries.filter(
      (entry) =>
        entry.test === test &&
        (entry.file ?? file) === file &&
        (entry.fingerprint ?? fingerprintOf(identity)) === fingerprintOf(identity),
    )
  }
}

/** The short form of a fingerprint, for people. */
export function fingerprintOf(identity: string): string {
  return shortHash(identity)
}

/**
 * Reads a quarantine.
 *
 * @param path undefined: the file of the usual name, if there is one
 * @throws UsageError that says which entry is wrong
 */
export function readQuarantine(path: string | undefined, nowMs: number): Quarantine {
  if (path === undefined && !existsSync(QUARANTINE_FILE)) return new Quarantine([], nowMs)
  const file = path ?? QUARANTINE_FILE
  let entries: unknown
  try {
    entries = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`cannot read the quarantine ${file}: ${jsonFault(error)}`)
  }
  if (!Array.isArray(entries)) throw new UsageError(`${file}: expected an array of entries { test, by, until }`)
  return new Quarantine(
    entries.map((entry: unknown, at) => parsed(entry, `${file}: entry ${at + 1}`)),
    nowMs,
  )
}

function parsed(entry: unknown, where: string): Entry {
  if (typeof entry !== 'object' || entry === null) throw new UsageError(`${where} is not an object { test, by, until }`)
  for (const name of ['test', 'by', 'until']) {
    const value = (entry as Record<string, unknown>)[name]
    if (typeof value !== 'string' || value === '') throw new UsageError(`${where}: "${name}" is not a non-empty string`)
  }
  const { until } = entry as Entry
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || Number.isNaN(Date.parse(until)))
    throw new UsageError(`${where}: "until" is not a day such as 2027-03-01: ${until}`)
  return entry as Entry
}
