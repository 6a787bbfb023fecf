/**
 * The tests of one file under the default schedule and some others: each alone, and all in the order
 * of the file, as their runner has them.
 */
import type { FoundFailure } from '../../contract/events.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { InconclusiveReport } from '../../contract/inconclusive.ts'
import { DEFAULT_PLAN, type Plan, withDelays, withSeed, withStart } from '../../contract/plan.ts'
import type { ListedProperty, ListedTest } from '../../process/protocol.ts'
import { WorkerLost } from '../../process/worker.ts'
import type { FileProcess } from '../file-process.ts'
import { lossResult } from '../lost-execution.ts'
import { exploredWith } from './explored.ts'
import { smallestPart } from './halving.ts'
import { NOTHING_RUN, type PassesUnless, type TestReport } from './test-report.ts'

/** The name of the property that runs all tests of a file. */
const WHOLE_FILE = '(the whole file)'

/** Attempts to find which earlier tests a test depends on. */
const MOST_HALVINGS = 200

/** Tests that are left out because the execution ends with them, at most. */
const MOST_LEFT_OUT = 20

/** How a test that fails runs again: with other random numbers, from instants at no boundary, and with delays. */
const OTHERS: Readonly<Record<PassesUnless['departure'], readonly Plan[]>> = {
  seed: [1, 2, 3, 4, 5].map(withSeed),
  'start of the clock': [137, 437, 737, 40_000_337, 10_000_000_637].map(withStart),
  // Half of the random schedules delay few operations.
  delays: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(withDelays),
}

/** What a pass over a file saw. */
export interface FilePass {
  readonly reports: readonly TestReport[]
  /** Tests that failed under a schedule other than the default one, with the property that shows it. */
  readonly suspects: readonly Suspect[]
  /** All tests that pass in the order of the file, as one property; undefined if that shows nothing more. */
  readonly whole: ListedProperty | undefined
}

export interface Suspect {
  /** The test that failed. */
  readonly test: string
  readonly property: ListedProperty
  /** What found it. */
  readonly seed: number
}

/** What some executions of one property showed. */
interface Seen {
  readonly executions: number
  readonly failed: number
  readonly points: number
  readonly chains: number
  /** The result of the default schedule, if it did not pass. */
  readonly byDefault: ExecutionResult | undefined
  readonly found: readonly FoundFailure[]
  readonly inconclusive: InconclusiveReport | undefined
  readonly retried: boolean
  readonly isSkipped: boolean
  /** Its process ended under another schedule. */
  readonly lost?: WorkerLost | undefined
}

interface Passing {
  readonly seed: number
  /** Executions of each test beside that of the default schedule. */
  readonly schedules: number
  /** Whether to stop; asked before each test. */
  readonly isUp: () => boolean
  /** Called before each test. */
  readonly onTest?: (name: string) => void
}

/** Runs the tests of a file. */
export async function passOver(process: FileProcess, tests: readonly ListedTest[], asked: Passing): Promise<FilePass> {
  const pass = new Pass(process, tests, asked)
  return pass.run()
}

class Pass {
  readonly #process: FileProcess
  readonly #asked: Passing
  readonly #tests: readonly ListedTest[]
  readonly #suspects: Suspect[] = []
  /** Tests that were compared with the order of the file. */
  readonly #settled = new Set<string>()

  constructor(process: FileProcess, tests: readonly ListedTest[], asked: Passing) {
    this.#process = process
    this.#asked = asked
    const isExclusive = tests.some(({ mode }) => mode === 'only')
    this.#tests = tests.map((test) => ({
      ...test,
      mode: test.mode === (isExclusive ? 'only' : 'run') ? 'run' : 'skip',
    }))
  }

  async run(): Promise<FilePass> {
    const reports = new Map<string, TestReport>()
    const running = this.#tests.filter(({ mode }) => mode === 'run')
    for (const test of this.#tests) reports.set(test.name, this.#unrun(test))
    for (const test of running) {
      if (this.#asked.isUp()) break
      this.#asked.onTest?.(test.name)
      const report = this.#judged(test, await this.#explored(test), reports.get(test.name)!)
      const mayDepart = report.verdict === 'failing' && report.points > 0
      reports.set(test.name, mayDepart ? this.#unless(test, report, await this.#passesUnless(test)) : report)
    }
    const began = running.filter(({ name }) => reports.get(name)!.executions > 0)
    const whole =
      began.length > 1 && began.length === running.length ? await this.#inOrder(running, reports) : undefined
    if (this.#asked.isUp()) this.#forgetUnsettled(began.slice(1), reports)
    return { reports: [...reports.values()], suspects: this.#suspects, whole }
  }

  /** What fails alone may pass behind others: it is not known before that was tried. */
  #forgetUnsettled(tests: readonly ListedTest[], reports: Map<string, TestReport>): void {
    for (const test of tests)
      if (reports.get(test.name)!.verdict === 'failing' && !this.#settled.has(test.name))
        reports.set(test.name, this.#unrun(test))
  }

  #unrun({ name, line, column, mode }: ListedTest): TestReport {
    const verdict = mode === 'run' ? 'inconclusive' : 'skipped'
    return { file: this.#process.file, name, line, column, verdict, ...NOTHING_RUN }
  }

  /** One that other random numbers, or another start of the clock, let pass is flaky in its runner too. */
  #unless(test: ListedTest, report: TestReport, unless: PassesUnless | undefined): TestReport {
    if (unless === undefined) return report
    // That no operation takes time is a schedule of norn: no runner need ever see it.
    if (unless.departure === 'delays') return { ...report, unless }
    this.#suspects.push({ test: test.name, property: test, seed: this.#asked.seed })
    return { ...report, verdict: 'flaky', unless }
  }

  /** What a test that fails under the default schedule passes with. */
  async #passesUnless(test: ListedTest): Promise<PassesUnless | undefined> {
    for (const [departure, plans] of Object.entries(OTHERS) as [PassesUnless['departure'], readonly Plan[]][]) {
      let passed = 0
      for (const plan of plans) {
        const result = await this.#planned(test, plan)
        if (result instanceof WorkerLost) return undefined
        if (result.verdict === 'passed') passed++
      }
      if (passed > 0) return { departure, passed, tried: plans.length }
    }
    return undefined
  }

  #judged(test: ListedTest, seen: Seen, before: TestReport): TestReport {
    const { executions, failed, points, chains, byDefault, found, inconclusive, retried, isSkipped, lost } = seen
    const counted = { ...before, executions, failed, points, chains, ...(retried ? { retried } : {}) }
    if (isSkipped) return { ...counted, verdict: 'skipped' }
    if (byDefault?.verdict === 'failed') return { ...counted, verdict: 'failing', failure: byDefault.failure! }
    if (found.length > 0 || lost !== undefined) {
      this.#suspects.push({ test: test.name, property: test, seed: this.#asked.seed })
      return { ...counted, verdict: 'flaky' }
    }
    return inconclusive === undefined
      ? { ...counted, verdict: 'clean' }
      : { ...counted, verdict: 'inconclusive', inconclusive }
  }

  /** The default schedule first, and others if there is a choice. */
  async #explored(property: ListedProperty): Promise<Seen> {
    const { seed, schedules } = this.#asked
    const first = await this.#byDefault(property)
    if (first instanceof WorkerLost) return lostIn(first)
    const { verdict, points, chains, tests } = first
    const isFailed = verdict === 'failed'
    const seen: Seen = {
      ...{ executions: 1, failed: isFailed ? 1 : 0, points, chains, found: [], inconclusive: first.voided },
      byDefault: verdict === 'passed' ? undefined : first,
      retried: (tests?.retried.length ?? 0) > 0,
      isSkipped: tests?.skipped.includes(property.name) ?? false,
    }
    if (verdict !== 'passed' || points === 0 || schedules === 0) return seen
    const found: FoundFailure[] = []
    let inconclusive: InconclusiveReport | undefined
    const exploring = { seed, runs: schedules + 1, timeMs: Number.MAX_SAFE_INTEGER }
    const { summary, error } = await exploredWith(this.#process, property, exploring, (event) => {
      if (event.type === 'found') found.push(event.failure)
      if (event.type === 'inconclusive') inconclusive ??= event.report
    })
    if (summary === undefined) return { ...seen, lost: error }
    const { executions, failed, maxPoints, maxChains } = summary
    const maxima = { points: Math.max(points, maxPoints), chains: Math.max(chains, maxChains) }
    return { ...seen, executions, failed, ...maxima, found, inconclusive }
  }

  /** All tests in the order of the file. Returns those that pass so, as one property. */
  async #inOrder(tests: readonly ListedTest[], reports: Map<string, TestReport>): Promise<ListedProperty | undefined> {
    const whole = await this.#whole(tests, reports)
    if (whole === undefined) return undefined
    const { failing, leftOut } = whole
    for (const [at, test] of tests.entries()) {
      if (this.#asked.isUp()) return undefined
      const report = reports.get(test.name)!
      const before = tests.slice(0, at).filter(({ name }) => !failing.has(name))
      this.#settled.add(test.name)
      // Behind other tests it has other random numbers, and begins at another time.
      if (report.verdict === 'flaky' && report.unless !== undefined) continue
      if (report.verdict === 'failing' && (!failing.has(test.name) || leftOut.has(test.name)))
        reports.set(test.name, await this.#dependent(test, before, report))
      else if (report.verdict !== 'failing' && failing.has(test.name))
        reports.set(test.name, await this.#disturbed(test, before, report))
    }
    const passing = tests.filter(({ name }) => !failing.has(name))
    const points = passing.some(({ name }) => reports.get(name)!.points > 0)
    return points && passing.length > 1 ? sequence(WHOLE_FILE, passing) : undefined
  }

  /**
   * Which tests fail where all run. One that ends the execution, or makes it inconclusive, is left out;
   * undefined if that does not help.
   */
  async #whole(
    tests: readonly ListedTest[],
    reports: ReadonlyMap<string, TestReport>,
  ): Promise<{ readonly failing: ReadonlySet<string>; readonly leftOut: ReadonlySet<string> } | undefined> {
    const endsAll = ({ name }: ListedTest) => {
      const { inconclusive, failure } = reports.get(name)!
      return inconclusive !== undefined || (failure !== undefined && failure.kind !== 'error')
    }
    const out = new Set(tests.filter(endsAll).map(({ name }) => name))
    for (let attempt = 0; attempt < MOST_LEFT_OUT && !this.#asked.isUp(); attempt++) {
      const left = tests.filter(({ name }) => !out.has(name))
      if (left.length < 2) return undefined
      const result = await this.#byDefault(sequence(WHOLE_FILE, left), true)
      if (result instanceof WorkerLost || result.tests === undefined) return undefined
      const { failed, last } = result.tests
      const hasEnded = result.voided !== undefined || (result.failure !== undefined && result.failure.kind !== 'error')
      if (!hasEnded && (result.verdict === 'passed' || failed.length > 0))
        return { failing: new Set([...out, ...failed]), leftOut: out }
      if (last === undefined || out.has(last)) return undefined
      out.add(last)
    }
    return undefined
  }

  /** A test that fails alone, and passes behind others: finds which. */
  async #dependent(test: ListedTest, before: readonly ListedTest[], report: TestReport): Promise<TestReport> {
    const passes = async (part: readonly ListedTest[]) => {
      const result = await this.#byDefault(behind(test, part))
      return !(result instanceof WorkerLost) && result.verdict === 'passed'
    }
    const needed = await this.#halved(before, passes)
    if (needed === undefined) return report
    const { failure, unless, ...rest } = report
    const property = behind(test, needed)
    const seen = await this.#explored(property)
    if (seen.byDefault === undefined && seen.found.length > 0)
      this.#suspects.push({ test: test.name, property, seed: this.#asked.seed })
    const counted = { executions: seen.executions, failed: seen.failed, points: seen.points, chains: seen.chains }
    return { ...rest, ...counted, verdict: 'dependent', needs: needed.map(({ name }) => name) }
  }

  /** A test that passes alone, and fails behind others: finds which. */
  async #disturbed(test: ListedTest, before: readonly ListedTest[], report: TestReport): Promise<TestReport> {
    let failure = report.failure
    const fails = async (part: readonly ListedTest[]) => {
      const result = await this.#byDefault(behind(test, part))
      if (result instanceof WorkerLost || result.verdict !== 'failed' || result.tests?.last !== test.name) return false
      failure = result.failure
      return true
    }
    const needed = await this.#halved(before, fails)
    if (needed === undefined || failure === undefined) return report
    return { ...report, verdict: 'failing', needs: needed.map(({ name }) => name), failure }
  }

  async #halved(
    before: readonly ListedTest[],
    holds: (part: readonly ListedTest[]) => Promise<boolean>,
  ): Promise<readonly ListedTest[] | undefined> {
    if (before.length === 0 || !(await holds(before))) return undefined
    let left = MOST_HALVINGS
    return smallestPart(before, async (part) => !this.#asked.isUp() && left-- > 0 && holds(part))
  }

  #byDefault(property: ListedProperty, everyTest = false): Promise<ExecutionResult | WorkerLost> {
    return this.#planned(property, DEFAULT_PLAN, everyTest)
  }

  async #planned(property: ListedProperty, plan: Plan, everyTest = false): Promise<ExecutionResult | WorkerLost> {
    try {
      return await this.#process.worker().execute(property, plan, { isCold: true, demands: { everyTest } })
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      this.#process.close()
      return error
    }
  }
}

/** Tests that run one after the other, as a property. */
function sequence(name: string, tests: readonly ListedTest[]): ListedProperty {
  return { ...tests[0]!, name, testNames: tests.map((test) => test.name) }
}

/** A test behind others, as a property. */
export function behind(test: ListedTest, others: readonly ListedTest[]): ListedProperty {
  if (others.length === 0) return test
  const names = others.map(({ name }) => `'${name}'`).join(', ')
  return sequence(`${test.name} (after ${names})`, [...others, test])
}

function lostIn(loss: WorkerLost): Seen {
  const byDefault = lossResult(loss)
  const { points, chains } = byDefault
  const counts = { executions: 1, failed: 1, points, chains }
  return { ...counts, byDefault, found: [], inconclusive: undefined, retried: false, isSkipped: false }
}
