/**
 * Counts what happens in the executions of a campaign, for summaries.ts.
 *
 * Invariant: counts are a function of the executions in order. Executions may take a fifth of a
 * millisecond, so counting must be cheap: faults and the model's actions are counted in all
 * executions, log entries in the first 2,000 and then in every eighth, of those that the model
 * followed if there is one. Reports say so.
 */

import { messageType } from '../../cluster/message-type.ts'
import type { DomainSummary } from '../../contract/campaign-summary.ts'
import type { EntryKind, LogEntry } from '../../contract/cluster-record.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { Happened } from '../../contract/observation.ts'
import type { Plan } from '../../contract/plan.ts'
import type { ActionCount, EntryCount, VacuityTally } from '../../contract/vacuity.ts'
import type { CampaignPlanner } from '../../search/domain.ts'
import { MAX_NAMES, OTHERS } from './summaries.ts'

/** All of the first executions are counted, then every so many. */
const COUNTED_ALL = 2000
const EVERY = 8

/** Characters kept of the reason why an action is disabled. */
const MAX_REASON = 300

interface Count {
  count: number
  mapped: number
}

/** The counts of a kind of entries by name, and the latest of them: entries of one name often follow each other. */
interface KindCounts {
  readonly counts: Map<string, Count>
  name: string | undefined
  latest: Count
}

export class Vacuity {
  readonly #entries = new Map<EntryKind, KindCounts>()
  readonly #actions = new Map<string, { enabled: number; disabled: number; reason: string }>()
  readonly #faults = new Map<string, number>()
  #hasModel = false
  #isGuideOnly = false
  #executions = 0
  #counted = 0
  #made = 0
  #answered = 0
  #crowdedOut = 0

  observe(happened: Happened): void {
    const { log, faults, actions, followed } = happened
    this.#executions++
    for (const fault in faults) this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + faults[fault]!)
    if (actions !== undefined) this.#countActions(actions, followed)
    if (happened.crowdedOut) this.#crowdedOut++
    if (happened.isGuideOnly) this.#isGuideOnly = true
    // The share of entries that are mapped is one of executions that were followed.
    if (happened.isUnfollowed || (this.#executions > COUNTED_ALL && this.#executions % EVERY !== 0)) return
    this.#counted++
    const answered = new Set<number>()
    for (const entry of log) {
      this.#countOf(entry).count++
      if (entry.kind === 'request') this.#made++
      else if (entry.kind === 'reply') answered.add(entry.id)
    }
    this.#answered += answered.size
    let last: LogEntry | undefined
    for (const { entry } of followed) {
      // The actions of one entry are consecutive.
      if (entry !== last) this.#countOf(entry).mapped++
      last = entry
    }
  }

  #countActions(actions: readonly string[], followed: Happened['followed']): void {
    if (!this.#hasModel) {
      for (const action of actions) this.#actions.set(action, { enabled: 0, disabled: 0, reason: '' })
    }
    this.#hasModel = true
    for (const { action, reason } of followed) {
      if (action === undefined) continue
      // The next-state relation of a model need not name every action.
      let known = this.#actions.get(action)
      if (known === undefined) this.#actions.set(action, (known = { enabled: 0, disabled: 0, reason: '' }))
      if (reason === undefined) known.enabled++
      else if (known.disabled++ === 0) known.reason = reason.slice(0, MAX_REASON)
    }
  }

  tally(): VacuityTally {
    const byName = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
    const entries = byName(this.#entries).map(([kind, { counts }]) => {
      return [
        kind,
        Object.fromEntries(byName(counts).map(([name, count]): [string, EntryCount] => [name, { ...count }])),
      ]
    })
    const actions = byName(this.#actions).map(([action, { reason, ...counts }]): [string, ActionCount] => {
      return [action, reason === '' ? counts : { ...counts, reason }]
    })
    return {
      counted: this.#counted,
      executions: this.#executions,
      entries: Object.fromEntries(entries),
      requests: { made: this.#made, answered: this.#answered },
      faults: Object.fromEntries(byName(this.#faults)),
      ...(this.#crowdedOut === 0 ? {} : { crowdedOut: this.#crowdedOut }),
      ...(this.#isGuideOnly ? { isGuideOnly: true } : {}),
      ...(this.#hasModel ? { actions: Object.fromEntries(actions) } : {}),
    }
  }

  #countOf(entry: LogEntry): Count {
    const { kind } = entry
    let known = this.#entries.get(kind)
    if (known === undefined)
      this.#entries.set(kind, (known = { counts: new Map(), name: undefined, latest: { count: 0, mapped: 0 } }))
    const name = nameOf(entry)
    if (known.name !== name) {
      known.name = name
      known.latest = countIn(known.counts, name)
    }
    return known.latest
  }
}

function countIn(counts: Map<string, Count>, name: string): Count {
  const known = counts.get(name)
  if (known !== undefined) return known
  const kept = counts.size < MAX_NAMES ? name : OTHERS
  const count = counts.get(kept) ?? { count: 0, mapped: 0 }
  counts.set(kept, count)
  return count
}

/** The name under which an entry is counted. */
function nameOf({ kind, name, data }: LogEntry): string {
  switch (kind) {
    case 'send':
    case 'deliver':
    case 'request':
      return messageType(data)
    case 'lost':
    case 'timeout':
    case 'event':
      return name
    default:
      return ''
  }
}

/** Counts what happens in the executions of another planner. */
export class VacuityPlanner implements CampaignPlanner {
  readonly #planner: CampaignPlanner
  readonly #vacuity = new Vacuity()

  constructor(planner: CampaignPlanner) {
    this.#planner = planner
  }

  get isUnguided(): boolean {
    return this.#planner.isUnguided
  }

  get state(): CampaignPlanner['state'] {
    return this.#planner.state
  }

  get kept(): CampaignPlanner['kept'] {
    return this.#planner.kept
  }

  get isDone(): boolean {
    return this.#planner.isDone ?? false
  }

  get summary(): DomainSummary {
    return { ...this.#planner.summary, vacuity: this.#vacuity.tally() }
  }

  next(): Plan {
    return this.#planner.next()
  }

  observe(plan: Plan, result: ExecutionResult): void {
    const happened = result.observation?.cluster?.happened
    if (happened !== undefined) this.#vacuity.observe(happened)
    this.#planner.observe(plan, result)
  }
}
