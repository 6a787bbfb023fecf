/**
 * What it is worth to evaluate modules once: executions a second of processor time of programs that people have,
 * with modules that executions share, and with `freshModules`, in turns. Preparing counts. The two sides run the
 * same campaigns, and must give the same results: exits with 1 if they do not.
 */
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CAMPAIGN, EVERYTHING, type SessionEvent, Worker } from '../../engine.ts'
import { installPackages } from '../../install.ts'
import { processorMs, rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { SMOKE } from '../../reach/main.ts'
import { REACH, REACH_FOLDER, type ReachSubject } from '../../subjects/catalogue.ts'
import type { FilteredOptions } from '../../suite.ts'

/** Their results are functions of the seed, in a process that has the time it needs. */
const isMeasured = ({ needsServer, allowedAddons }: ReachSubject) => !needsServer && allowedAddons === undefined

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const runs = smoke ? 60 : 500
  if (!smoke) installPackages(REACH_FOLDER)
  const say = printer(json)
  for (const subject of REACH) {
    if (!isMeasured(subject) || !subject.name.includes(only) || (smoke && !SMOKE.includes(subject.name))) continue
    const shared = await campaigns(subject, false, runs)
    const fresh = await campaigns(subject, true, runs)
    const isSame = isDeepStrictEqual(shared.results, fresh.results)
    if (!isSame) process.exitCode = 1
    const row = {
      suite: 'programs',
      subject: subject.name,
      executions: shared.executions,
      perSecond: rounded((1000 * shared.executions) / shared.ms, 1),
      freshPerSecond: rounded((1000 * fresh.executions) / fresh.ms, 1),
      ratio: rounded(fresh.ms / shared.ms),
      isSame,
    }
    const { executions, perSecond, freshPerSecond, ratio } = row
    say(
      row,
      `${subject.name}: ${perSecond} executions a second of ${executions}, ${freshPerSecond} with fresh modules: ${ratio}${isSame ? '' : '; THE RESULTS DIFFER'}`,
    )
  }
}

interface Measured {
  readonly executions: number
  /** Processor time of the worker. */
  readonly ms: number
  /** What a campaign of each property found, without times. */
  readonly results: readonly unknown[]
}

async function campaigns({ file }: ReachSubject, freshModules: boolean, runs: number): Promise<Measured> {
  const worker = new Worker({ file, root: dirname(file), aliases: [], freshModules })
  try {
    const properties = (await worker.list()).filter(({ mode }) => mode !== 'skip')
    const results: unknown[] = []
    let executions = 0
    const before = processorMs(worker.pid!)
    for (const property of properties) {
      const events: SessionEvent[] = []
      const summary = await worker.explore(property, { ...CAMPAIGN, guide: EVERYTHING, runs }, (event) => {
        if (event.type !== 'progress') events.push(event)
      })
      executions += summary.executions
      results.push(withoutTimes([events, summary]))
    }
    return { executions, ms: processorMs(worker.pid!) - before, results }
  } finally {
    worker.close()
  }
}

/** A value without what depends on real time. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (/ms$/i.test(key) || key === 'warnings' ? undefined : each)))
}
