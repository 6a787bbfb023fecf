/**
 * The campaigns of a file of properties with modules that executions share, or without: what they found, and what
 * it cost. The results are a function of the seed, so the two must be equal.
 */
import { dirname } from 'node:path'
import { CAMPAIGN, EVERYTHING, type ListedProperty, type SessionEvent, Worker, WorkerLost } from './engine.ts'
import { processorMs } from './measure.ts'

interface Campaigns {
  readonly file: string
  /** Of the project; the folder of the file by default. */
  readonly root?: string
  readonly aliases?: readonly (readonly [from: string, to: string])[]
  readonly freshModules: boolean
  /** Executions of each property. */
  readonly runs: number
  readonly isChosen?: (property: string) => boolean
}

export interface Measured {
  readonly executions: number
  /** Processor time of the workers. */
  readonly ms: number
  /** What the campaign of each property found, without times; where it lost the process, how. */
  readonly results: ReadonlyMap<string, unknown>
}

export async function campaignsOf({ file, runs, isChosen = () => true, ...given }: Campaigns): Promise<Measured> {
  const start = () => new Worker({ root: dirname(file), aliases: [], ...given, file })
  const results = new Map<string, unknown>()
  let worker = start()
  let executions = 0
  let ms = 0
  try {
    const listed = (await worker.list()).filter(({ mode, name }) => mode !== 'skip' && isChosen(name))
    let before = processorMs(worker.pid!)
    for (const property of listed) {
      try {
        const { result, executions: more } = await campaign(worker, property, runs)
        results.set(property.name, result)
        executions += more
        const now = processorMs(worker.pid!)
        ms += now - before
        before = now
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error
        results.set(property.name, { lost: error.how })
        worker.close()
        worker = start()
        await worker.list()
        before = processorMs(worker.pid!)
      }
    }
    return { executions, ms, results }
  } finally {
    worker.close()
  }
}

async function campaign(worker: Worker, property: ListedProperty, runs: number) {
  const events: SessionEvent[] = []
  const summary = await worker.explore(property, { ...CAMPAIGN, guide: EVERYTHING, runs }, (event) => {
    if (event.type !== 'progress') events.push(event)
  })
  return { result: withoutTimes([events, summary]), executions: summary.executions }
}

/** A value without what depends on real time. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (/ms$/i.test(key) || key === 'warnings' ? undefined : each)))
}
