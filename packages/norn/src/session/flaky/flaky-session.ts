/**
 * `norn flaky`: ordinary tests under schedules. A first pass runs every test of every file under the
 * default schedule and some others; rounds then search longer where there is most to choose; what
 * failed is at last shrunk, saved and confirmed.
 *
 * Several files run at the same time, each as in a process of its own. What is known of a test is kept
 * after each file, so that a call goes on where the last one stopped.
 */
import { rmSync } from 'node:fs'
import type { FoundFailure, SessionEvent } from '../../contract/events.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { ClockKind } from '../../contract/wall-clock.ts'
import { NOTHING } from '../../options/guide.ts'
import type { ListedProperty, ListedTest } from '../../process/protocol.ts'
import type { WorkerOptions } from '../../process/worker.ts'
import { DEFAULT_STRATEGY } from '../../schedule/portfolio.ts'
import { installationId } from '../../storage/installation.ts'
import { UndecidedError, UsageError } from '../errors.ts'
import { FileProcess } from '../file-process.ts'
import type { Origin } from '../finding.ts'
import { runSession } from '../session.ts'
import type { UnloadedFile } from '../targets.ts'
import { exploredWith } from './explored.ts'
import { behind, passOver, type Suspect } from './file-pass.ts'
import { smallestPart } from './halving.ts'
import { Handover } from './handover.ts'
import { addsUp, departures } from './lateness.ts'
import { type FileState, keepState, keptState, within } from './memory.ts'
import type { FlakyTest, TestReport } from './test-report.ts'

/** Executions of a suspect beside those until it failed first, to say how often it fails. */
const SUSPECT_RUNS = 26

/** Real time for shrinking the failures of one test, in milliseconds. */
const SHRINK_MS = 20_000

/** Real time for finding and counting the failures of one test again, or a tenth of the whole, in milliseconds. */
const SETTLING_MS = 30_000

/** Attempts to leave out tests before one that fails behind others. */
const MOST_HALVINGS = 30

/** In each round, tests with most chains come first and get so many times the schedules of the last. */
const GROWTH = 4

export interface FlakyBudget {
  readonly seed: number
  /** Executions of each test in the first pass, beside that of the default schedule. */
  readonly schedules: number
  /** Executions of each test in all rounds together. */
  readonly runs: number
  /** Real time for all, in milliseconds. */
  readonly timeMs: number
  readonly workers: number
  /** In which ways the clock of the tests varies. */
  readonly clock: readonly ClockKind[]
  /** The longest delay of an operation, in milliseconds; undefined for that of norn. */
  readonly maxLatencyMs: number | undefined
  /** Part of the names of the tests to run. */
  readonly wanted: string | undefined
  readonly origin: Origin
}

/** Receives what a call sees. */
export interface FlakyObserver {
  /** A file begins to load, or a test to run. */
  working(file: string, test?: string): void
  /** The first pass over a file ended. */
  passed(file: string, reports: readonly TestReport[]): void
  unloaded(file: UnloadedFile): void
  /** Tests are searched longer. */
  round(tests: number): void
  /** A failure was shrunk and confirmed. */
  flaky(test: FlakyTest): void
  /** A test that failed is not called flaky. */
  cleared(report: TestReport): void
  remark(text: string): void
}

export interface FlakyResult {
  readonly reports: readonly TestReport[]
  readonly flaky: readonly FlakyTest[]
  readonly unloaded: readonly UnloadedFile[]
  /** Whether time or a signal ended it before each test had its executions. */
  readonly isPartial: boolean
}

/** What one search of a test may take. */
interface Budget {
  readonly seed: number
  readonly runs: number
}

/** Tests of one file, as far as they are searched. */
interface OpenFile {
  readonly process: FileProcess
  readonly file: string
  readonly reports: Map<string, TestReport>
  readonly tests: readonly ListedTest[]
  readonly whole: ListedProperty | undefined
  readonly suspects: Suspect[]
  rounds: number
  ran: number
  files: readonly string[]
}

export class FlakySession {
  readonly #budget: FlakyBudget
  readonly #observer: FlakyObserver
  readonly #signal: AbortSignal
  readonly #end: number
  readonly #norn = installationId()
  readonly #files: OpenFile[] = []
  readonly #unloaded: UnloadedFile[] = []
  readonly #handover = new Handover()
  #isPartial = false

  constructor(budget: FlakyBudget, observer: FlakyObserver, signal: AbortSignal) {
    this.#budget = budget
    this.#observer = observer
    this.#signal = signal
    this.#end = performance.now() + budget.timeMs
  }

  /** @param starts what the process of each file is started with */
  async run(starts: readonly WorkerOptions[]): Promise<FlakyResult> {
    const { workers } = this.#budget
    await together(starts, workers, (start) => this.#firstPass(start))
    while (!this.#isUp() && (await this.#round())) {}
    // What is shrunk and confirmed gets processes of its own.
    this.#handover.close()
    const flaky: FlakyTest[] = []
    await together(this.#files, workers, async (file) => {
      for (const suspect of [...file.suspects]) {
        const found = await this.#settled(file, suspect)
        if (found !== undefined) flaky.push(found)
      }
      file.process.close()
      this.#keep(file)
    })
    const order = new Map(this.#files.map(({ file }, at) => [file, at]))
    flaky.sort((a, b) => order.get(a.report.file)! - order.get(b.report.file)!)
    for (const found of flaky) this.#observer.flaky(found)
    const reports = this.#files.flatMap((file) => [...file.reports.values()])
    return { reports, flaky, unloaded: this.#unloaded, isPartial: this.#isPartial }
  }

  #isUp(): boolean {
    const isUp = this.#signal.aborted || performance.now() >= this.#end
    if (isUp) this.#isPartial = true
    return isUp
  }

  async #firstPass(start: WorkerOptions): Promise<void> {
    if (this.#isUp()) return
    const process = new FileProcess(start)
    const { file } = process
    this.#observer.working(file)
    const kept = this.#kept(start.root, file)
    try {
      const state = kept ?? (await this.#passed(process))
      const reports = new Map(state.reports.map((report) => [report.name, report]))
      this.#files.push({ ...state, process, file, reports, suspects: [...state.suspects] })
      this.#observer.passed(file, state.reports)
      this.#keep(this.#files.at(-1)!)
    } catch (error) {
      process.close()
      if (!(error instanceof UsageError || error instanceof UndecidedError)) throw error
      const unloaded = { file, error }
      this.#unloaded.push(unloaded)
      this.#observer.unloaded(unloaded)
    } finally {
      this.#handover.end(process)
    }
  }

  async #passed(process: FileProcess): Promise<FileState> {
    const { wanted, seed, schedules, clock, maxLatencyMs } = this.#budget
    await this.#handover.begin(process)
    const properties = (await process.properties()) as readonly ListedTest[]
    const listed = properties.map((test) => ({
      ...test,
      clock,
      ...(maxLatencyMs === undefined ? {} : { maxLatencyMs }),
    }))
    const tests = wanted === undefined ? listed : listed.filter(({ name }) => name.includes(wanted))
    const onTest = (name: string) => this.#observer.working(process.file, name)
    const pass = await passOver(process, tests, { seed, schedules, isUp: () => this.#isUp(), onTest })
    const files = within(process.start.root, await process.worker().files())
    return { tests, ...pass, files, rounds: 0, ran: schedules }
  }

  /** What is known of a file, if its clock and its delays varied as now. */
  #kept(root: string, file: string): FileState | undefined {
    const { wanted, clock, maxLatencyMs } = this.#budget
    const state = wanted === undefined ? keptState(root, this.#norn, file) : undefined
    const isAsNow = (test: ListedTest) => test.clock?.join() === clock.join() && test.maxLatencyMs === maxLatencyMs
    return state?.tests.every(isAsNow) ? state : undefined
  }

  /** Keeps what is known of a file whose first pass has ended. */
  #keep({ process, file, reports, ...state }: OpenFile): void {
    const known = [...reports.values()]
    const isWhole = known.every(({ verdict, executions }) => executions > 0 || verdict === 'skipped')
    if (this.#budget.wanted !== undefined || !isWhole) return
    const why = keepState(process.start.root, this.#norn, file, { ...state, reports: known })
    if (why !== undefined) this.#observer.remark(why)
  }

  /**
   * Searches further what has passed so far and has schedule points, most chains first. Returns whether there was
   * such a test.
   */
  async #round(): Promise<boolean> {
    const { runs, seed, schedules, workers } = this.#budget
    const open = this.#files
      .map((file) => ({ file, properties: file.ran < runs ? openIn(file) : [] }))
      .filter(({ properties }) => properties.length > 0)
    open.sort((a, b) => chainsOf(b.properties) - chainsOf(a.properties))
    this.#observer.round(open.flatMap(({ properties }) => properties).length)
    await together(open, workers, async ({ file, properties }) => {
      const count = Math.min(schedules * GROWTH ** (file.rounds + 1), runs - file.ran)
      const budget = { seed: (seed + file.rounds + 1) >>> 0, runs: count }
      await this.#handover.begin(file.process)
      for (const { property, report } of properties) {
        if (this.#isUp()) break
        this.#observer.working(file.file, property.name)
        await this.#searched(file, property, report, budget)
      }
      this.#handover.end(file.process)
      if (this.#isUp()) return
      file.rounds++
      file.ran += count
      this.#keep(file)
    })
    return open.length > 0
  }

  async #searched(
    file: OpenFile,
    property: ListedProperty,
    report: TestReport | undefined,
    { seed, runs }: Budget,
  ): Promise<void> {
    let failing: string | undefined
    let hasFailed = false
    const events = (event: SessionEvent) => {
      if (event.type !== 'found') return
      hasFailed = true
      failing ??= event.failure.result.tests?.last
    }
    const { summary, error } = await exploredWith(file.process, property, { seed, runs, timeMs: this.#left() }, events)
    if (report === undefined) {
      if (hasFailed) await this.#suspected(file, property, failing, { seed, runs })
      return
    }
    if (hasFailed) file.suspects.push({ test: report.name, property, seed })
    const isLost = error !== undefined || (summary?.voided ?? 0) > 0
    file.reports.set(report.name, {
      ...report,
      executions: report.executions + (summary?.executions ?? 0),
      failed: report.failed + (summary?.failed ?? 0),
      verdict: hasFailed ? 'flaky' : isLost ? 'inconclusive' : report.verdict,
    })
  }

  /** A test failed where all tests of its file ran: it may also fail alone, or behind few of them. */
  async #suspected(
    file: OpenFile,
    whole: ListedProperty,
    name: string | undefined,
    { seed, runs }: Budget,
  ): Promise<void> {
    const test = file.tests.find((each) => each.name === name)
    if (test === undefined || file.suspects.some((suspect) => suspect.test === name)) return
    const fails = async (property: ListedProperty) => {
      let hasFailed = false
      const exploring = { seed, runs: Math.max(runs, SUSPECT_RUNS), timeMs: this.#left() }
      await exploredWith(file.process, property, exploring, ({ type }) => {
        hasFailed ||= type === 'found'
      })
      return hasFailed
    }
    const before = file.tests
      .filter(({ name }) => whole.testNames!.includes(name))
      .filter((_, at, all) => at < all.indexOf(test))
    let left = MOST_HALVINGS
    const needed = (await fails(test))
      ? []
      : await smallestPart(before, async (part) => !this.#isUp() && left-- > 0 && fails(behind(test, part)))
    file.suspects.push({ test: test.name, property: behind(test, needed), seed })
    const report = file.reports.get(test.name)!
    file.reports.set(test.name, { ...report, verdict: 'flaky' })
  }

  #left(): number {
    return Math.max(0, this.#end - performance.now())
  }

  /** Finds the failure of a suspect again, says how often it fails, shrinks, saves and confirms it. */
  async #settled(file: OpenFile, suspect: Suspect): Promise<FlakyTest | undefined> {
    const { test, property, seed } = suspect
    const report = file.reports.get(test) ?? file.reports.get(property.name)
    if (report === undefined || this.#signal.aborted) return undefined
    this.#observer.working(file.file, `${test}: shrinking`)
    const findings: FoundFailure[] = []
    const target = { process: file.process, file: file.file, property }
    const runs = Math.max(SUSPECT_RUNS, this.#budget.runs)
    const timeMs = Math.max(SETTLING_MS, this.#budget.timeMs / 10)
    const result = await runSession(
      target,
      {
        ...{ seed, strategy: DEFAULT_STRATEGY, guide: NOTHING, cover: [] },
        // An end that is far away would give shrinking a share of all the time until then.
        ...{ runs, minRuns: runs, timeMs, shrinkMs: SHRINK_MS },
        ...{ saved: false, keepGoing: true, shrink: true, workers: 1, origin: this.#budget.origin },
      },
      (event) => {
        if (event.type === 'confirmed') findings.push(event.failure)
        if (event.type === 'remark') this.#observer.remark(event.text)
      },
      this.#signal,
    )
    const { summary } = result.search ?? {}
    // One that also fails under the default schedule is of its runner, unless another one lets it pass.
    const counts = (result: ExecutionResult) => departures(result) > 0 || report.unless !== undefined
    const repeated = findings.filter(({ confirmation, result }) => confirmation?.confirmed && counts(result))
    const [late, confirmed] = [true, false].map((isLate) => repeated.filter(({ result }) => addsUp(result) === isLate))
    const counted = summary === undefined ? {} : { executions: summary.executions, failed: summary.failed }
    const isClear = confirmed!.length === 0 && late!.length > 0 && !this.#signal.aborted
    const verdict = confirmed!.length > 0 ? 'flaky' : isClear ? 'clean' : 'inconclusive'
    const settled = {
      ...report,
      ...counted,
      ...(isClear ? { late: Math.min(...late!.map(({ result }) => departures(result))) } : {}),
      verdict: report.verdict === 'dependent' ? report.verdict : verdict,
    } as const
    file.reports.set(report.name, settled)
    if (isClear) {
      for (const { file } of late!) if (file?.path !== undefined) rmSync(file.path, { force: true })
      file.suspects.splice(file.suspects.indexOf(suspect), 1)
      this.#observer.cleared(settled)
    }
    if (confirmed!.length === 0) return undefined
    return { report: settled, findings: confirmed! }
  }
}

/** A test that is searched further, or all tests of a file (without a report). */
interface OpenTest {
  readonly property: ListedProperty
  readonly report: TestReport | undefined
}

function openIn({ tests, reports, whole }: OpenFile): readonly OpenTest[] {
  const single = tests.flatMap((test) => {
    const report = reports.get(test.name)!
    return report.verdict === 'clean' && report.points > 0 ? [{ property: test, report }] : []
  })
  const calm = whole === undefined ? undefined : without(whole, reports)
  return [...single, ...(calm === undefined ? [] : [{ property: calm, report: undefined }])]
}

/** A run of tests without those that fail by themselves; undefined if less than two are left. */
function without(whole: ListedProperty, reports: ReadonlyMap<string, TestReport>): ListedProperty | undefined {
  const testNames = whole.testNames!.filter((name) => reports.get(name)!.verdict !== 'flaky')
  return testNames.length < 2 ? undefined : { ...whole, testNames }
}

function chainsOf(tests: readonly OpenTest[]): number {
  return Math.max(...tests.map(({ report }) => report?.chains ?? 0))
}

/** Calls an action for each element, for some of them at the same time. */
async function together<Element>(
  elements: readonly Element[],
  workers: number,
  action: (element: Element) => Promise<void>,
): Promise<void> {
  const left = elements.values()
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const element of left) await action(element)
    }),
  )
}
