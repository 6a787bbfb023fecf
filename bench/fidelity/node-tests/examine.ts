/** Node's tests in the world: under the default schedule, then under others. */
import type { ExecutionResult } from '../../../packages/norn/src/contract/execution.ts'
import { whatOf } from '../../../packages/norn/src/contract/inconclusive.ts'
import {
  CAMPAIGN,
  DEFAULT_PLAN,
  type ListedProperty,
  RequestRefused,
  type SessionEvent,
  type Worker,
  WorkerLost,
} from '../../engine.ts'
import { RestartedWorker } from '../../restarted-worker.ts'
import type { TestFile } from './test-files.ts'

export type Class = 'passed' | 'inconclusive' | 'wrong' | 'lost'

export interface Examined {
  readonly class: Class
  /** Of what did not pass: the message of the failure, the reason, or how the process was lost. */
  readonly why: string
  /** Executions under other schedules than the default one, and how many of them did not pass. */
  readonly schedules: number
  readonly unlike: number
  /** What became of it in a process that had run others, if a fresh one shows something else. */
  readonly behindOthers?: Class
  /** Whether it passes only if its body stays open. */
  readonly isHeld?: true
}

const SEED = 1

const NONE = { why: '', schedules: 0, unlike: 0 }

/** Lines of its output that are shown of a test that says why it ends. */
const SAID_LINES = 12
/** Frames of norn in what a test prints itself. */
const OF_NORN = /^ +at .*(?:packages\/norn\/src|node-tests\.fuzz|node:internal)/

/** Executions of one process: what tests leave behind in it adds up. */
const MOST = 400

/** Whether it ends its process as one that passes: of a property that is a failure. */
function hasExited({ failure }: ExecutionResult): boolean {
  return failure?.kind === 'exit' && failure.message === 'process.exit(0)'
}

/** What a test expected to be called it says at its end, and only there. */
function whyOf({ failure, output }: ExecutionResult): string {
  if (failure!.kind !== 'exit') return failure!.stack
  const said = (output ?? '').split('\n').filter((line) => line !== '' && !OF_NORN.test(line))
  return [failure!.stack, ...said.slice(-SAID_LINES)].join('\n')
}

/** Node's tests, most of them one after the other in one process. */
export class World {
  readonly #root: string
  readonly #runs: number
  readonly #start: ConstructorParameters<typeof RestartedWorker>[0]
  readonly #shared: RestartedWorker

  /**
   * @param root of the tests
   * @param list the file with the names and paths of the tests
   * @param runs executions under other schedules of a test that passes under the default one
   */
  constructor(root: string, list: string, runs: number) {
    this.#root = root
    this.#runs = runs
    const file = `${import.meta.dirname}/node-tests.fuzz.ts`
    this.#start = { file, root, aliases: [['chosen-node-tests', list]] }
    this.#shared = new RestartedWorker(this.#start, MOST)
  }

  async examine(test: TestFile): Promise<Examined> {
    if (test.isSuite) return this.#alone({ file: test.path, root: this.#root, aliases: [], ordinaryTests: true })
    const shared = await this.#examined(this.#shared, test.name)
    if (shared.class === 'passed' || shared.class === 'inconclusive') return shared
    const alone = await this.#alone(this.#start, test.name)
    if (alone.class !== 'wrong') return { ...alone, behindOthers: shared.class, why: alone.why || shared.why }
    const held = await this.#alone(this.#start, `${test.name}, held`)
    return held.class === 'passed' ? { ...held, isHeld: true } : alone
  }

  close(): void {
    this.#shared.close()
  }

  async #alone(start: ConstructorParameters<typeof RestartedWorker>[0], name?: string): Promise<Examined> {
    const world = new RestartedWorker(start)
    try {
      return await this.#examined(world, name)
    } finally {
      world.close()
    }
  }

  /** @param name of the property; all of the file by default */
  async #examined(world: RestartedWorker, name?: string): Promise<Examined> {
    try {
      return await world.use(async (worker) => {
        const properties = (await worker.list()).filter(
          (each) => each.mode !== 'skip' && each.notRun === undefined && (name === undefined || each.name === name),
        )
        let all: Examined = { ...NONE, class: 'passed' }
        for (const property of properties) {
          const { schedules, unlike, why, ...found } = await this.#executed(worker, property)
          all = { ...found, schedules: all.schedules + schedules, unlike: all.unlike + unlike, why: all.why || why }
          if (all.class !== 'passed') return all
        }
        return all
      })
    } catch (error) {
      if (error instanceof WorkerLost) return { ...NONE, class: 'lost', why: error.message }
      if (error instanceof RequestRefused) return { ...NONE, class: 'wrong', why: error.message }
      throw error
    }
  }

  async #executed(worker: Worker, property: ListedProperty): Promise<Examined> {
    // Without the execution that warms a process up: what Node says once in a process is then said.
    const result = await worker.execute(property, DEFAULT_PLAN, { isCold: true })
    if (result.verdict === 'void') return { ...NONE, class: 'inconclusive', why: whatOf(result.voided!.reason) }
    if (hasExited(result)) return { ...NONE, class: 'passed' }
    if (result.verdict === 'failed') return { ...NONE, class: 'wrong', why: whyOf(result) }
    if (this.#runs === 0) return { ...NONE, class: 'passed' }
    const whys = new Set<string>()
    const notice = (event: SessionEvent) => {
      if (event.type === 'found') whys.add(event.failure.result.failure!.stack)
      if (event.type === 'flaky') whys.add(`not repeatable: ${event.failure.first.failure!.stack}`)
      if (event.type === 'inconclusive') whys.add(`inconclusive: ${whatOf(event.report.reason)}`)
    }
    // The first execution of a campaign is the default schedule again.
    const bounds = { seed: SEED, runs: this.#runs + 1, timeMs: Number.POSITIVE_INFINITY }
    const { executions, failed, voided } = await worker.explore(property, { ...CAMPAIGN, ...bounds }, notice)
    return { class: 'passed', why: [...whys].join('\n'), schedules: executions - 1, unlike: failed + voided }
  }
}
