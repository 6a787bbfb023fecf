/**
 * The event log of one execution: what happened, in order. Checks, models, diagrams and traces are
 * made from it.
 *
 * One shape for all kinds, so that making an entry costs next to nothing; what a kind does not use
 * is empty. In JSON (`entryJson`) what is empty is left out: that form is what mappers to models
 * and other tools read.
 */
import type { LogEntry } from '../contract/cluster-record.ts'

export type { EntryKind, LogEntry } from '../contract/cluster-record.ts'

/** An entry as JSON: what is empty is left out. */
export function entryJson({ kind, step, atUs, node, peer, name, id, data }: LogEntry): string {
  return JSON.stringify({
    kind,
    step,
    atUs,
    ...(node === '' ? {} : { node }),
    ...(peer === '' ? {} : { peer }),
    ...(name === '' ? {} : { name }),
    ...(id < 0 ? {} : { id }),
    ...(data === undefined ? {} : { data }),
  })
}

/**
 * The log as JSON lines: the standard form, byte for byte the same for the same tape.
 *
 * @public
 */
export function logText(log: readonly LogEntry[]): string {
  return log.map((entry) => `${entryJson(entry)}\n`).join('')
}
