/**
 * What the page of `norn ui` shows of a call, as the events of the call tell it. It does no I/O but to
 * read the lines of source that failures name.
 *
 * Invariant: bounded by the properties and the failures shown, however long the search runs and
 * whoever reads. A page asks for what changed since a revision; nothing is kept for any page.
 */
import type { FoundFailure, Reproduced, SessionEvent, TriedFailure } from '../../contract/events.ts'
import { plural } from '../../contract/text.ts'
import { VERDICTS } from '../../contract/verdict.ts'
import { DiscoveryCurve } from '../../report/discovery-curve.ts'
import { countedIn, discovered } from '../../report/guided.ts'
import type { Action, Campaign, Failure, Live, PageData, Place, Replay } from '../../report/page/data.ts'
import { failureData, type Reported } from '../../report/page/failure-data.ts'
import { campaignOf, projectData } from '../../report/page/page-data.ts'
import { type Highlight, SourceTexts } from '../../report/page/source-texts.ts'
import { printableLine } from '../../report/printable.ts'
import { progressFigures, progressOf, progressShare } from '../../report/progress.ts'
import { residualRisk } from '../../report/residual-risk.ts'
import { countsOf, factsSoFar, flakyLine, inconclusiveLine, recordOf } from '../../report/search-facts.ts'
import { countsText } from '../../report/summary.ts'
import { pathOf } from '../../session/finding.ts'
import { asFound, savedInputPlan } from '../../session/follow.ts'
import type { CallEnd, PlannedCall, Reporter, Searched } from '../../session/reporter.ts'
import { reproducedText } from '../../session/reproduction.ts'
import type { Target } from '../../session/targets.ts'
import type { FindPassing } from './passing-clusters.ts'

/** Failures that are shown, lines of one search before its end, and files that do not load. */
const MAX_FAILURES = 200
const MAX_TOLD = 20
const MAX_PROBLEMS = 20

const REPLAYED: Readonly<Record<Exclude<Replay, 'not replayed'>, string>> = {
  exact: 'Replayed exactly: the same trace.',
  fails: 'Still fails, with another trace.',
  passes: 'No longer fails.',
  inconclusive: 'Inconclusive: the replay did not show the same failure.',
  found: 'Not replayed yet: norn replays and explains it once the search of its property has ended.',
}

const LOOKING = 'Norn is looking for a passing execution.'

/** A property of the call. */
interface Search {
  readonly place: number
  campaign: Campaign
  /** What was told before its end, a line each, by what it is about. */
  readonly told: Map<string, string>
  readonly curve: DiscoveryCurve
  revision: number
}

export class LiveReport implements Reporter {
  readonly #root: string
  readonly #call: string
  readonly #findPassing: FindPassing
  readonly #began = new Date()
  /** The searches before this call. */
  readonly #before: readonly Campaign[]
  readonly #searches = new Map<Target, Search>()
  readonly #sources: SourceTexts
  /** By the path of the file of each. */
  readonly #failures = new Map<string, Failure>()
  readonly #leftOut = new Set<string>()
  /** By the path of the failure of each. */
  readonly #actions = new Map<string, Action>()
  readonly #problems: string[] = []
  #revision = 0
  #dataRevision = 0
  #doing = 'starting'
  #isOver = false
  #stays = false

  /** @param call names the call */
  constructor(root: string, call: string, findPassing: FindPassing, highlight?: Highlight) {
    this.#root = root
    this.#call = call
    this.#findPassing = findPassing
    this.#sources = new SourceTexts(root, highlight)
    this.#before = projectData(root, ['Began', this.#began]).campaigns
  }

  /** Whether the call left something to read, and nobody asked norn to end. */
  get stays(): boolean {
    return this.#stays
  }

  /** What changed after a revision; after 0, all. */
  live(since: number): Live {
    const changed = [...this.#searches.values()].filter(({ revision }) => revision > since)
    return {
      call: this.#call,
      isOver: this.#isOver,
      doing: this.#doing,
      revision: this.#revision,
      data: this.#dataRevision,
      actions: [...this.#actions.values()],
      changed: changed.map(({ place, campaign, told }) => [
        place,
        { ...campaign, doubts: [...told.values(), ...campaign.doubts] },
      ]),
    }
  }

  data(): PageData {
    const more = this.#leftOut.size
    const project = projectData(this.#root, ['Began', this.#began])
    return {
      ...project,
      campaigns: this.#before,
      failures: [...this.#failures.values()],
      unreadable: [...this.#problems, ...(more === 0 ? [] : [`${plural(more, 'more failure')}: see norn report`])],
      unknown: ['Saved failures of other properties are not shown: norn report shows them.', ...project.unknown],
      files: this.#sources.files,
      sources: this.#sources.passages(),
    }
  }

  /** The path of a file, if the page names this place in it. */
  pathOf(place: Place): string | undefined {
    return this.#sources.pathOf(place)
  }

  /** Why norn cannot replay or shrink a failure now. */
  refusal(path: string, kind: Action['kind']): string | undefined {
    const failure = this.#failures.get(path)
    if (failure === undefined) return 'the page has no such failure'
    if (failure.commands.length === 0) return 'its file could not be written'
    if (this.#actions.get(path)?.isOver === false) return 'norn is at it already'
    const isSearching = [...this.#searches.values()].some(
      ({ campaign: { property, file, verdict } }) =>
        verdict === 'searching' && property === failure.property && file === failure.file,
    )
    return isSearching && (kind === 'shrink' || failure.replay === 'found')
      ? 'the search of its property still runs, and may shrink it'
      : undefined
  }

  /** Shows what norn does for a reader. */
  tell(action: Action): void {
    this.#revision++
    this.#actions.set(action.path, { ...action, text: printableLine(action.text) })
  }

  /** Shows what the replay of a failure did that a reader asked for. */
  showReplayed(reported: Reported): void {
    this.#revision++
    this.#dataRevision = this.#revision
    this.#failures.set(reported.path, failureData(reported, this.#sources))
  }

  begin({ targets, unloaded }: PlannedCall): void {
    this.#revision++
    this.#dataRevision = this.#revision
    for (const { file, error } of unloaded.slice(0, MAX_PROBLEMS))
      this.#problems.push(printableLine(`${file} does not load: ${error.message.split('\n').at(-1)!.trim()}`))
    for (const [place, target] of targets.entries())
      this.#searches.set(target, {
        ...{ place, revision: this.#revision, told: new Map(), curve: new DiscoveryCurve() },
        campaign: waiting(target),
      })
  }

  report(event: SessionEvent, from: Searched): void {
    this.#revision++
    const { target } = from
    const { place, told, curve } = this.#searches.get(target)!
    const tell = (about: string, line: string) => {
      if (told.size < MAX_TOLD) told.set(about, printableLine(line))
      this.#change(target, {})
    }
    switch (event.type) {
      case 'tried':
        for (const problem of event.problems) tell(problem, problem)
        for (const each of event.tried) this.#tried(target, each)
        break
      case 'searching':
        this.#doing = this.#doingText('searching', place)
        this.#change(target, { verdict: 'searching' })
        break
      case 'progress':
        this.#progress(event, from)
        break
      case 'found':
      case 'shrunk':
        this.#show(event.failure.file!, { replay: 'found', replayed: REPLAYED.found })
        break
      case 'confirmed':
        this.#confirmed(target, event.failure)
        break
      case 'flaky':
        tell(`flaky ${event.failure.foundAt}`, flakyLine(event.failure))
        break
      case 'inconclusive':
        tell(`inconclusive ${event.execution}`, inconclusiveLine(event))
        break
      case 'remark':
        tell(event.text, event.text)
        break
      case 'searched':
        told.clear()
        this.#change(target, campaignOf(target.property.name, target.file, recordOf(event, from, curve)))
        break
      case 'ended':
        this.#change(target, {
          verdict: VERDICTS[event.verdict].name,
          figures: [],
          share: undefined,
          isShrinking: false,
        })
        this.#dataRevision = this.#revision
    }
  }

  #progress(event: Extract<SessionEvent, { type: 'progress' }>, from: Searched): void {
    const { executions, guided, interim, shrinking } = event
    const { target, strategy, seed, guide } = from
    const { curve, place, campaign } = this.#searches.get(target)!
    this.#doing = this.#doingText(shrinking ? 'shrinking a failure' : 'searching', place)
    if (guided !== undefined) curve.add(executions, discovered(guided))
    const progress = progressOf(event, from)
    const facts = interim && factsSoFar({ summary: interim, ...residualRisk(target, interim, guide) })
    this.#change(target, {
      figures: progressFigures(progress),
      share: progressShare(progress),
      isShrinking: shrinking,
      counts: countsOf(executions, interim?.distinctFailures ?? campaign.counts?.failures ?? 0, guided),
      ...(guided && { curve: curve.ending(executions, discovered(guided)), counted: countedIn(guided) }),
      ...(facts && { ...facts, lines: [`by ${strategy}, seed ${seed}`, ...facts.lines] }),
    })
  }

  #doingText(what: string, place: number): string {
    const { size } = this.#searches
    return size === 1 ? what : `${what}${what === 'searching' ? '' : ','} ${place + 1} of ${size} properties`
  }

  #tried({ process: { start }, property: declared }: Target, tried: TriedFailure): void {
    const { path, saved, result, explanation, exact, reproduced } = tried
    const failing = exact ? 'exact' : 'fails'
    const passing = reproduced === undefined && result.verdict === 'passed' ? 'passes' : 'inconclusive'
    const replay = result.verdict === 'failed' ? failing : passing
    const property = asFound(declared, saved)
    const failed = { start, property, input: savedInputPlan(path, saved, property), result }
    this.#showExplained(tried, { ...replayedAs(replay, reproduced), result, explanation }, failed)
  }

  #confirmed({ process: { start }, property }: Target, { result, confirmation, file }: FoundFailure): void {
    const { plan, explanation, confirmed, reproduced } = confirmation!
    const failing = reproduced === undefined ? 'exact' : 'fails'
    const failed = { start, property, input: plan.input, result }
    const run = { ...replayedAs(confirmed ? failing : 'inconclusive', reproduced), result, explanation }
    this.#showExplained(file!, run, failed)
  }

  /** Shows a failure, and beside that of a cluster a passing execution once it is found. */
  #showExplained(file: SavedFile, run: Run, failed: Parameters<FindPassing>[0]): void {
    const { result, start } = failed
    const isSought = result.verdict === 'failed' && result.cluster !== undefined && (start.open ?? []).length === 0
    this.#show(file, run, isSought)
    if (!isSought) return
    const known = pathOf(this.#root, file.saved)
    const shown = this.#failures.get(known)
    this.#findPassing(failed).then((passing) => {
      // A reader may have asked for another replay.
      if (this.#failures.get(known) !== shown) return
      this.#revision++
      this.#show(file, { ...run, passing })
    })
  }

  /** @param isSought whether norn looks for a passing execution */
  #show({ saved, path }: SavedFile, run: Run, isSought = false): void {
    const known = pathOf(this.#root, saved)
    if (!this.#failures.has(known) && this.#failures.size >= MAX_FAILURES) {
      this.#leftOut.add(known)
      this.#dataRevision = this.#revision
      return
    }
    const failure = failureData({ path: known, saved, ...run }, this.#sources)
    const unsaved =
      path === undefined ? { commands: [], replayed: `${run.replayed} Its file could not be written.` } : {}
    this.#failures.set(known, { ...failure, ...unsaved, ...(isSought ? { noPassing: LOOKING } : {}) })
    this.#dataRevision = this.#revision
  }

  end({ verdicts, properties, why, interrupted, signal }: CallEnd): void {
    this.#revision++
    this.#isOver = true
    this.#stays = verdicts.length > 0 && signal !== 'SIGTERM'
    this.#doing =
      properties === 0
        ? why
        : `${interrupted ? 'interrupted' : 'ended'}: ${countsText(verdicts, properties - verdicts.length)}`
    for (const [target, { campaign }] of this.#searches)
      if (campaign.verdict === 'waiting') this.#change(target, { verdict: 'not run' })
  }

  #change(target: Target, changed: Partial<Campaign>): void {
    const search = this.#searches.get(target)!
    search.campaign = { ...search.campaign, ...changed }
    search.revision = this.#revision
  }
}

type SavedFile = NonNullable<FoundFailure['file']>

type Run = Pick<Reported, 'replay' | 'replayed' | 'result' | 'explanation' | 'passing'>

function replayedAs(replay: keyof typeof REPLAYED, reproduced: Reproduced | undefined) {
  return { replay, replayed: reproduced === undefined ? REPLAYED[replay] : `${reproducedText(reproduced)}.` }
}

function waiting({ property: { name }, file }: Target): Campaign {
  const nothing = { lines: [], doubts: [], curve: [], counted: '' }
  return { property: printableLine(name), file: printableLine(file), verdict: 'waiting', ...nothing }
}
