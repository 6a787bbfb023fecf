/**
 * `norn fleet fuzz FILES…`: declares a campaign and watches it. The campaign does not depend on this process:
 * it goes on without it, and the same call watches it again.
 */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  chooseSearch,
  collectTargets,
  type ExitStatus,
  exitOnSignal,
  FailureFileError,
  type FleetFuzzFlags,
  type Guide,
  guideText,
  interruption,
  loadConfiguration,
  parseGuide,
  plural,
  print,
  printableLine,
  propertyFiles,
  replayCommand,
  residualRisk,
  STATUS,
  statusLine,
  summaryText,
  type Target,
  terminalStyle,
  UsageError,
} from 'norn/internal/session'
import type { FleetCampaign } from '../campaign.ts'
import { type CodeIdentity, codeIdentity } from '../code-identity.ts'
import { Fleet } from '../fleet.ts'
import { foundFile } from '../found-file.ts'
import { shownAddress } from '../queue-address.ts'
import { type ReceivedFailure, saveReceived } from '../received-failure.ts'
import { type FleetView, viewOf } from '../watch.ts'
import { addressOf, startOf } from './options.ts'

const DEFAULT_TIME_MS = 10 * 60_000
const DEFAULT_SLICE_MS = 30_000
const ROUND_MS = 1000

export async function fleetFuzzCommand(named: readonly string[], options: FleetFuzzFlags): Promise<ExitStatus> {
  if (options.continuous && (options.time !== undefined || options.shards !== undefined))
    throw new UsageError('--continuous has no end: remove --time and --shards, or --continuous')
  const root = process.cwd()
  const address = addressOf(options)
  const exiting = exitOnSignal()
  const start = startOf(root, options)
  const { targets, unloaded, why } = await collectTargets(propertyFiles(named), start, options.property).finally(
    exiting.ignore,
  )
  for (const { process } of targets) process.close()
  if (unloaded.length > 0) throw unloaded[0]!.error
  if (targets.length === 0) throw new UsageError(why)
  const fleet = await Fleet.open({ address, prefix: options.prefix })
  try {
    await fleet.reach()
    const code = codeIdentity(root)
    const campaign = declared(targets, code, options)
    await fleet.ledger.declare(campaign)
    const steward = fleet.steward(code.hash)
    await steward.announce(campaign, await fleet.workers(code.hash))
    const headline = `campaign ${campaign.id}: ${plural(campaign.properties.length, 'property', 'properties')} at ${code.text}, on ${shownAddress(address)}`
    if (!options.json) print(headline)
    if (options.detach) {
      if (options.json) print(JSON.stringify({ type: 'declared', campaign: campaign.id }))
      return STATUS.passed
    }
    return await new Watching(fleet, campaign, targets, root, options).run()
  } finally {
    await fleet.close()
  }
}

/** A campaign whose id is a function of what was asked for, where a seed was: the same call finds it again. */
function declared(targets: readonly Target[], code: CodeIdentity, options: FleetFuzzFlags): FleetCampaign {
  const { strategy, guide, sliceRuns } = options
  const asked = {
    code: code.hash,
    codeText: code.text,
    properties: targets.map(({ file, property }) => ({ file, property: property.name })),
    ...(strategy === undefined ? {} : { strategy }),
    ...(guide === undefined ? {} : { guide: guideText(parseGuide(guide)) }),
    keepGoing: options.keepGoing,
    isSharing: options.share,
    sliceMs: options.slice ?? DEFAULT_SLICE_MS,
    ...(sliceRuns === undefined ? {} : { sliceRuns }),
    budgetMs:
      options.continuous || options.shards !== undefined ? (options.time ?? 0) : (options.time ?? DEFAULT_TIME_MS),
    shards: options.shards ?? 0,
  }
  const seed = options.seed ?? randomBytes(4).readUInt32LE()
  const id = createHash('sha256')
    .update(JSON.stringify({ ...asked, seed }))
    .digest('hex')
    .slice(0, 10)
  return { ...asked, id, seed, declaredAt: new Date().toISOString() }
}

class Watching {
  readonly #fleet: Fleet
  readonly #campaign: FleetCampaign
  readonly #targets: readonly Target[]
  readonly #root: string
  readonly #options: FleetFuzzFlags
  readonly #status = statusLine(process.stderr)
  readonly #style = terminalStyle()
  /** Names of failures that were looked at. */
  readonly #known = new Set<string>()
  readonly #failures = new Map<string, ReceivedFailure>()
  readonly #quarantined = new Set<string>()
  #isWaiting = false
  /** A failure could not be saved. */
  #isIncomplete = false

  constructor(
    fleet: Fleet,
    campaign: FleetCampaign,
    targets: readonly Target[],
    root: string,
    options: FleetFuzzFlags,
  ) {
    this.#fleet = fleet
    this.#campaign = campaign
    this.#targets = targets
    this.#root = root
    this.#options = options
  }

  async run(): Promise<ExitStatus> {
    const { signal, ignore } = interruption()
    const { code } = this.#campaign
    const steward = this.#fleet.steward(code)
    let view: FleetView | undefined
    let [isLost, isForgotten] = [false, false]
    while (!signal.aborted) {
      try {
        const seen = await viewOf(this.#fleet.ledger, this.#campaign)
        if (seen.state === undefined) {
          isForgotten = await this.#fleet.ledger.isForgotten(this.#campaign.id)
          if (isForgotten) break
          await this.#restore(view)
        } else {
          view = seen
          await this.#tell(view)
          if (view.isOver) break
        }
        await steward.mend(this.#campaign)
        const workers = await this.#fleet.workers(code)
        await steward.announce(this.#campaign, workers)
        this.#progress(seen, workers)
        if (isLost) this.#say('the queue is there again')
        isLost = false
      } catch (error) {
        if (!isLost) this.#say(`! the queue does not answer: ${(error as Error).message}. Trying again`)
        isLost = true
      }
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
    }
    ignore()
    this.#status.clear()
    if (signal.aborted) this.#say(`the campaign goes on: norn fleet status, or norn fleet drain ${this.#campaign.id}`)
    if (isForgotten) this.#say('the campaign was removed by norn fleet drain --forget')
    if (view === undefined) return STATUS.undecided
    return this.#end(view, signal.aborted || isForgotten)
  }

  /** Restores a campaign that the queue has lost, as it was last seen. */
  async #restore(last: FleetView | undefined): Promise<void> {
    const { ledger } = this.#fleet
    if (last?.state === undefined) {
      this.#say('! the queue has lost the campaign: it is declared again, and begins anew')
      return ledger.declare(this.#campaign)
    }
    const { state, standings, quarantined, confirmed } = last
    const failures = [...this.#failures].map(([name, { path }]) => ({
      ...foundFile(join(this.#root, path)),
      isConfirmed: confirmed.get(name),
    }))
    const isRestored = await ledger.restore(this.#campaign, { state, standings, failures, quarantined })
    if (isRestored) this.#say('! the queue has lost the campaign: it goes on from what was seen last')
  }

  /** Saves and shows each failure once it is confirmed, and shards that were given up. */
  async #tell({ failures, confirmed, quarantined, isOver }: FleetView): Promise<void> {
    for (const name of failures) {
      if (this.#known.has(name) || !(confirmed.has(name) || isOver)) continue
      const text = await this.#fleet.ledger.failure(this.#campaign.id, name)
      if (text === undefined) continue
      this.#known.add(name)
      this.#status.clear()
      const received = this.#received(name, text)
      if (received === undefined) continue
      const { path } = received
      this.#failures.set(name, received)
      const isConfirmed = confirmed.get(name)
      if (isConfirmed === false) this.#say(`? ${path}: another worker did not see it fail`)
      this.#emit({ type: 'failure', path, confirmed: isConfirmed ?? null })
      if (!this.#options.json) await this.#show(path)
    }
    for (const { shard, why } of quarantined) {
      const key = `${shard.campaign}-${shard.number}`
      if (this.#quarantined.has(key)) continue
      this.#quarantined.add(key)
      this.#emit({ type: 'quarantined', ...shard, why })
      this.#say(`✗ shard ${key} of ${printableLine(shard.property)} was given up after three tries: ${why}`)
    }
  }

  /** Undefined, with a line, for what is no failure of the campaign, or cannot be saved. */
  #received(name: string, text: string): ReceivedFailure | undefined {
    try {
      return saveReceived(this.#root, name, text, this.#campaign.properties)
    } catch (error) {
      const { message } = error as Error
      if (error instanceof FailureFileError) this.#say(`! the queue holds what is no failure: ${message}`)
      else {
        this.#isIncomplete = true
        this.#say(`! ${name} cannot be saved: ${message}`)
      }
      return undefined
    }
  }

  /** Replays a failure here, which shows it as `norn replay` does. */
  async #show(path: string): Promise<void> {
    try {
      await replayCommand(path, { ...this.#options, json: false })
    } catch (error) {
      this.#say(`! ${path} cannot be shown: ${(error as Error).message}`)
    }
  }

  #progress({ standings, open, failures }: FleetView, workers: number): void {
    const executions = standings.reduce((sum, { summary }) => sum + summary.executions, 0)
    const shards = standings.reduce((sum, each) => sum + each.shards, 0)
    const parts = [
      plural(workers, 'worker'),
      plural(executions, 'execution'),
      `${plural(shards, 'shard')} done, ${open} open`,
    ]
    if (failures.length > 0) parts.push(plural(failures.length, 'failure'))
    this.#status.update(parts.join(', '))
    if (workers === 0 && !this.#isWaiting)
      this.#say(`waiting for a worker at ${this.#campaign.codeText}: norn fleet work, in a checkout of it`)
    this.#isWaiting = workers === 0
  }

  #end({ standings, failures, confirmed, quarantined }: FleetView, isInterrupted: boolean): ExitStatus {
    const statuses = this.#targets.map((target, index): ExitStatus => {
      const standing = standings[index]!
      const { property, file } = target
      const names = failures.filter((name) => {
        const saved = this.#failures.get(name)?.saved
        return saved?.file === file && saved.property === property.name
      })
      const summary = { ...standing.summary, distinctFailures: names.length }
      const { faultsAllowed, risk } = residualRisk(target, summary, this.#guideOf(target))
      const { stop: _, ...counts } = summary
      const { seed } = this.#campaign
      const { shards, timeMs, reasons } = standing
      this.#emit({ type: 'summary', file, property: property.name, seed, ...counts, shards, timeMs, reasons })
      const name = printableLine(property.name)
      const told = { property: name, summary, isInterrupted, seed, timeMs, keepGoing: true, faultsAllowed, risk }
      const text = summaryText(told, this.#style)
      if (text !== undefined) this.#print(text)
      for (const reason of reasons) this.#say(`  ${reason}`)
      if (names.some((name) => confirmed.get(name) !== false)) return STATUS.failed
      const isUndecided = names.length > 0 || summary.voided > 0 || summary.flaky > 0 || summary.passed === 0
      return isUndecided || summary.missed.length > 0 ? STATUS.undecided : STATUS.passed
    })
    if (quarantined.length > 0) statuses.push(STATUS.failed)
    if (statuses.includes(STATUS.failed)) return STATUS.failed
    return isInterrupted || this.#isIncomplete || statuses.includes(STATUS.undecided) ? STATUS.undecided : STATUS.passed
  }

  #guideOf({ property: { kind } }: Target): Guide {
    return chooseSearch(kind, this.#options, loadConfiguration().options).guide
  }

  #say(line: string): void {
    this.#print(printableLine(line))
  }

  #print(text: string): void {
    this.#status.clear()
    if (!this.#options.json) print(text)
  }

  #emit(line: Record<string, unknown>): void {
    if (this.#options.json) print(JSON.stringify(line))
  }
}
