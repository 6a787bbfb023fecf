/**
 * Requests and messages per second between a client and a server of one process: under norn, where
 * no byte leaves the process, against stock Node over loopback. Norn's executions are a
 * campaign's: each has its own modules, schedule and trace.
 */
import { resolve } from 'node:path'
import { explorePassing, Worker } from '../../engine.ts'
import { perSecond, ratesInTurn, rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { median } from '../../statistics/summary.ts'
import type { FilteredOptions } from '../../suite.ts'
import { EXCHANGES } from './exchanges.ts'
import * as express from './express.ts'
import * as ws from './ws.ts'

const HERE = import.meta.dirname

/** By the file of the property. */
const SUBJECTS = { 'express.fuzz.ts': express, 'ws.fuzz.ts': ws }

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const [rounds, runs] = smoke ? [1, 2] : [7, 20]
  const count = runs * EXCHANGES
  const say = printer(json)
  for (const [file, { name, exchange }] of Object.entries(SUBJECTS)) {
    if (!name.includes(only)) continue
    const worker = new Worker({ file: resolve(HERE, file), root: HERE, aliases: [] })
    try {
      const [property] = await worker.list()
      const sides = [
        () => perSecond(count, () => explorePassing(worker, property!, { runs })),
        () =>
          perSecond(count, async () => {
            for (let run = 0; run < runs; run++) await exchange()
          }),
      ]
      await ratesInTurn(sides, 1)
      const rates = await ratesInTurn(sides, rounds)
      const row = {
        suite: 'network',
        subject: name,
        perSecond: Math.round(median(rates.map(([norn]) => norn!))),
        baselinePerSecond: Math.round(median(rates.map(([, baseline]) => baseline!))),
        ratio: rounded(median(rates.map(([norn, baseline]) => norn! / baseline!))),
      }
      const beside = `${row.ratio} times stock Node over loopback (${row.baselinePerSecond}/s)`
      say(row, `${row.subject}: ${row.perSecond}/s, ${beside}`)
    } finally {
      worker.close()
    }
  }
}
