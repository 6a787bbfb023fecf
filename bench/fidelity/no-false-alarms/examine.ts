/**
 * One file of tests in its three modes: on stock Node, in the world under the default schedule, and
 * in the world under random legal schedules.
 *
 * A test that fails alone may build on state of earlier tests in its modules or on the disk. If the
 * whole file passes on stock Node and under the default schedule, the whole file runs in place of
 * such tests.
 */
import { whatOf } from '../../../packages/norn/src/contract/inconclusive.ts'
import {
  CAMPAIGN,
  DEFAULT_PLAN,
  fingerprint,
  type ListedProperty,
  RequestRefused,
  type SessionEvent,
  WorkerLost,
  type WorkerOptions,
} from '../../engine.ts'
import { RestartedWorker } from '../../restarted-worker.ts'
import { aliasesFor, SUITE } from './aliases.ts'
import { expectation } from './expected.ts'
import type { SuiteFile } from './sources.ts'
import { failuresOnStock } from './stock.ts'
import { WHOLE_FILE } from './whole-file.ts'

interface Failure {
  readonly identity: string
  readonly message: string
}

export interface TestOutcome {
  readonly file: SuiteFile
  readonly test: string
  /** Undefined if it passes on stock Node. */
  readonly stock: string | undefined
  readonly natural: 'passed' | 'failed' | 'void' | 'not run'
  /** Executions under random schedules, and the failed and the inconclusive ones. */
  readonly executions: number
  readonly failed: number
  readonly voided: number
  readonly failures: readonly Failure[]
  readonly voids: readonly string[]
}

export interface FileOutcome {
  readonly tests: readonly TestOutcome[]
  readonly skipped: readonly string[]
  /**
   * The error of loading the file in the world; and that on stock Node, if loading fails there as
   * well.
   */
  readonly unloadable?: { readonly inWorld: string; readonly onStock: string | undefined }
}

const SEED = 1

export async function examine(
  file: SuiteFile,
  root: string,
  runs: number,
  only: (test: string) => boolean,
): Promise<FileOutcome> {
  const aliases = aliasesFor(file.path)
  const start: WorkerOptions = { file: SUITE, root, aliases }
  const world = new RestartedWorker(start)
  try {
    const listed = await world.use((worker) => worker.list())
    const skipped = listed.filter(({ mode }) => mode === 'skip').map(({ name }) => name)
    const all = listed.filter(({ name, mode }) => mode !== 'skip' && name !== WHOLE_FILE)
    const properties = all.filter(({ name }) => only(name))
    if (properties.length === 0) return { tests: [], skipped }
    const names = properties.map(({ name }) => name)
    // Side by side: on stock Node tests mostly sleep.
    const stockRun = failuresOnStock(aliases, names)
    const inWorld: TestOutcome[] = []
    for (const property of properties) inWorld.push(await examineTest(file, world, property, runs))
    const stock = await stockRun
    const tests = inWorld.map((outcome) => {
      const problem = stock.get(outcome.test)
      return problem === undefined ? outcome : notRun(file, outcome.test, problem)
    })
    const alone = tests.filter(({ stock, natural }) => stock === undefined && natural !== 'failed')
    const [whole] = listed.filter(({ name }) => name === WHOLE_FILE)
    if (alone.length === tests.length || all.length === 1) return { tests, skipped }
    const problem = (await failuresOnStock(aliases, [WHOLE_FILE])).get(WHOLE_FILE)
    if (problem !== undefined) return { tests, skipped }
    const together = await examineTest(file, world, whole!, runs)
    return { tests: together.natural === 'failed' ? tests : [...alone, together], skipped }
  } catch (error) {
    if (!(error instanceof RequestRefused) && !(error instanceof WorkerLost)) throw error
    const onStock = (await failuresOnStock(aliases, [WHOLE_FILE])).get(WHOLE_FILE)
    return { tests: [], skipped: [], unloadable: { inWorld: error.message, onStock } }
  } finally {
    world.close()
  }
}

/**
 * The outcome of a test that is not run in the world, for instance because it fails on stock Node.
 */
function notRun(file: SuiteFile, test: string, stock?: string): TestOutcome {
  const natural = 'not run'
  return { file, test, stock, natural, executions: 0, failed: 0, voided: 0, failures: [], voids: [] }
}

async function examineTest(
  file: SuiteFile,
  world: RestartedWorker,
  property: ListedProperty,
  runs: number,
): Promise<TestOutcome> {
  const nothing = notRun(file, property.name)
  if (expectation(nothing)?.kind === 'too heavy') return nothing
  const failures = new Map<string, Failure>()
  const voids = new Set<string>()
  const onNotice = (notice: SessionEvent) => {
    if (notice.type === 'found') failures.set(notice.failure.identity, described(notice.failure.result.failure!))
    if (notice.type === 'flaky') failures.set(`flaky ${notice.failure.foundAt}`, flaky(notice.failure.first.failure!))
    if (notice.type === 'inconclusive') voids.add(whatOf(notice.report.reason))
  }
  const described = (failure: Parameters<typeof fingerprint>[0]): Failure => ({
    identity: fingerprint(failure),
    message: `${failure.kind}: ${failure.stack}`,
  })
  const flaky = (failure: Parameters<typeof fingerprint>[0]): Failure => ({
    identity: fingerprint(failure),
    message: `not repeatable: ${failure.stack}`,
  })
  try {
    const natural = await world.use((worker) => worker.execute(property, DEFAULT_PLAN))
    if (natural.verdict !== 'passed') {
      const failed = natural.verdict === 'failed'
      return {
        ...nothing,
        natural: natural.verdict,
        failures: failed ? [described(natural.failure!)] : [],
        voids: failed ? [] : [whatOf(natural.voided!.reason)],
      }
    }
    // The first of a campaign is the default schedule again.
    const options = { ...CAMPAIGN, seed: SEED, runs: runs + 1, timeMs: Number.POSITIVE_INFINITY }
    const summary = await world.use((worker) => worker.explore(property, options, onNotice))
    const { executions, failed, voided } = summary
    const seen = { failures: [...failures.values()], voids: [...voids] }
    return { ...nothing, natural: 'passed', executions: executions - 1, failed, voided, ...seen }
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    const failure = { identity: error.how, message: `${error.how}: ${error.message}` }
    return { ...nothing, natural: 'failed', failed: 1, failures: [...failures.values(), failure] }
  }
}
