/** The same tape gives the same event log, byte for byte: in any process, whatever ran before. */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { logText } from '../../src/cluster/log.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { NO_ESTIMATES, type Plan } from '../../src/contract/plan.ts'
import type { ListedProperty } from '../../src/process/protocol.ts'
import { Worker } from '../../src/process/worker.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const FILE = resolve(import.meta.dirname, 'fixtures/gossip.fuzz.ts')
const TAPES = 1000

interface Opened {
  readonly worker: Worker
  readonly properties: readonly ListedProperty[]
}

async function open(): Promise<Opened> {
  const worker = new Worker({ file: FILE, root: ROOT, aliases: [] })
  return { worker, properties: await worker.list() }
}

/** Half of the tapes are for each cluster; some run out early. */
function byChance(tape: number): Plan {
  const name = { seed: 16 * tape + 1, length: tape % 3 === 0 ? 20 + (tape % 50) : 0xffff_ffff }
  const choices = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
  return { input: { from: 'tape' }, choices, detailed: true }
}

/** What an execution did, as one text. */
function textOf({ verdict, failure, traceHash, cluster, output }: ExecutionResult): string {
  return `${verdict} ${failure?.message} ${traceHash}\n${logText(cluster!.log)}${output}`
}

async function run({ worker, properties }: Opened, tape: number, plan: Plan): Promise<ExecutionResult> {
  return worker.execute(properties[tape % properties.length]!, plan)
}

test(`${TAPES} tapes, each in three processes`, async () => {
  const [first, second, third] = await Promise.all([open(), open(), open()])
  try {
    const tapes = Array.from({ length: TAPES }, (_, tape) => tape)
    const recorded: ExecutionResult[] = []
    for (const tape of tapes) recorded.push(await run(first, tape, byChance(tape)))
    const replayed = async (opened: Opened, order: readonly number[]) => {
      const texts: string[] = []
      for (const tape of order) {
        const choices = { from: 'record', choices: recorded[tape]!.choices! } as const
        texts[tape] = textOf(await run(opened, tape, { input: { from: 'tape' }, choices, detailed: true }))
      }
      return texts
    }
    const others = await Promise.all([replayed(second, tapes.toReversed()), replayed(third, tapes)])
    const same = tapes.filter((tape) => others.every((texts) => texts[tape] === textOf(recorded[tape]!)))
    expect(same.length).toBe(TAPES)
    // They were worth comparing: of few tapes one is like another, and most hold something that
    // went wrong.
    expect(new Set(others[0]).size).toBeGreaterThan(0.95 * TAPES)
    const kinds = new Set(recorded.flatMap(({ cluster }) => cluster!.log.map(({ kind }) => kind)))
    expect(kinds.size).toBe(14)
  } finally {
    for (const { worker } of [first, second, third]) worker.close()
  }
})
