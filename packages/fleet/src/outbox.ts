/**
 * Results that could not be delivered, on disk: one file a shard under `.norn/fleet/outbox/`. They are
 * delivered later, by this process or another of the same checkout; the ledger takes each once.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, writeAtomically } from 'norn/internal/session'
import type { FoundFile } from './found-file.ts'
import { parseFailureName, parseShard, recordOf, type Shard, shardId, whole } from './shard.ts'
import { parseStanding, type Standing, standingText } from './standing.ts'

export interface Outcome {
  readonly shard: Shard
  /** Of the property in its campaign. */
  readonly index: number
  readonly standing: Standing
  readonly isDone: boolean
  readonly failures: readonly FoundFile[]
}

export class Outbox {
  readonly #folder: string

  constructor(root: string) {
    this.#folder = join(root, '.norn', 'fleet', 'outbox')
  }

  put({ standing, ...outcome }: Outcome): void {
    const text = JSON.stringify({ ...outcome, standing: standingText(standing) })
    writeAtomically(join(this.#folder, `${shardId(outcome.shard)}.json`), text)
  }

  /** The names of what waits. */
  names(): readonly string[] {
    return namesIn(this.#folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  }

  /** @throws Error if the file is not an outcome */
  read(name: string): Outcome {
    const { shard, index, standing, isDone, failures } = recordOf(
      JSON.parse(readFileSync(join(this.#folder, name), 'utf8')),
    )
    if (typeof standing !== 'string' || !Array.isArray(failures)) throw new Error('not an outcome')
    return {
      shard: parseShard(shard),
      index: whole(index, 'index', Number.MAX_SAFE_INTEGER),
      standing: parseStanding(standing),
      isDone: isDone === true,
      failures: failures.map((each) => {
        const { name, text, size } = recordOf(each)
        if (typeof text !== 'string') throw new Error('not a failure')
        return { name: parseFailureName(name), text, size: whole(size, 'size', Number.MAX_SAFE_INTEGER) }
      }),
    }
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true })
  }
}
