/**
 * How fast specifications follow a run, action by action with bound parameters.
 *
 * Two-phase commit with three resources: steps a second as a campaign follows it, with known steps
 * remembered; of the same model in TypeScript, the baseline of the same run; and of the evaluator
 * alone, which evaluates every step. Raft with three servers and terms up to five: the time to load
 * it, and the median time of a trace of 100 actions that the model has not seen, with and without
 * invariants, and of the same trace again.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, disabled, type Model } from '../../../packages/norn/src/cluster.ts'
import { tlaModel } from '../../../packages/norn/src/tla/index.ts'
import { fromData } from '../../../packages/tla/src/follow/from-data.ts'
import { loadMachine } from '../../../packages/tla/src/node/load.ts'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { median } from '../../statistics/summary.ts'
import type { CommonOptions } from '../../suite.ts'
import { raftTrace, type Trace } from './raft-traces.ts'

const MODELS = join(import.meta.dirname, '../../../models')
const TWO_PHASE = join(MODELS, 'TwoPhaseCommit.tla')
const RAFT = join(MODELS, 'RaftElection.tla')
const RAFT_CONFIGURATION = join(MODELS, 'RaftElectionTraces.cfg')

const RESOURCES = ['r1', 'r2', 'r3']
const COMMIT: Trace = [
  ...RESOURCES.flatMap(
    (r) =>
      [
        ['GetReady', [r]],
        ['NoteReady', [r]],
      ] as const,
  ),
  ['Decide', ['committed']],
  ...RESOURCES.map((r) => ['Obey', [r, 'committed']] as const),
]

export async function run({ smoke, json }: CommonOptions): Promise<void> {
  const [rounds, runs, traces] = smoke ? [3, 20_000, 10] : [9, 200_000, 100]
  const [specification, written] = [tlaModel(TWO_PHASE), defineModel(TWO_PHASE_IN_TYPESCRIPT)]
  const rates: [number, number, number][] = []
  for (let round = 0; round < rounds; round++) {
    rates.push([followed(specification, runs), followed(written, runs), evaluated(runs / 10)])
  }
  const of = (at: 0 | 1 | 2) => Math.round(median(rates.map((rate) => rate[at])))
  const ratio = rounded(median(rates.map(([mine, other]) => mine / other)))
  const row = {
    suite: 'tla-following',
    subject: 'two-phase commit',
    stepsPerSecond: of(0),
    evaluatedPerSecond: of(2),
    baselinePerSecond: of(1),
    ratio,
  }
  const times = raft(traces)
  const raftRow = { suite: 'tla-following', subject: 'Raft', ...times, traces }
  const say = printer(json)
  const number = (value: number) => value.toLocaleString('en-GB')
  say(
    row,
    `two-phase commit: ${number(row.stepsPerSecond)} steps/s followed, ${ratio} times the model in TypeScript (${number(row.baselinePerSecond)}); ${number(row.evaluatedPerSecond)} evaluated`,
  )
  const { loadMs, traceMs, checkedMs, againMs } = times
  say(
    raftRow,
    `Raft: loaded in ${loadMs} ms; a trace of 100 actions in ${traceMs} ms, ${checkedMs} ms with four invariants checked in every state, ${againMs} ms the second time (medians of ${traces})`,
  )
}

function followed(model: Model, runs: number): number {
  const began = performance.now()
  for (let run = 0; run < runs; run++) {
    model.reset()
    for (const [action, parameters] of COMMIT) {
      const applied = model.apply(action, parameters)
      if (!applied.enabled) throw new Error(applied.reason)
    }
  }
  return rate(runs * COMMIT.length, began)
}

/** Evaluates every step: nothing is remembered. */
function evaluated(runs: number): number {
  const machine = loadMachine(TWO_PHASE)
  const { current, primed } = machine
  const steps = COMMIT.map(([name, parameters]) => ({
    action: machine.action(name)!,
    bound: parameters.map((parameter) => fromData(machine, parameter, name)),
  }))
  let initial = current.slice()
  machine.initial(() => {
    initial = current.slice()
  })
  let taken = 0
  const visit = () => {
    taken++
    for (let at = 0; at < initial.length; at++) current[at] = primed[at]!
  }
  const began = performance.now()
  for (let run = 0; run < runs; run++) {
    for (let at = 0; at < initial.length; at++) current[at] = initial[at]!
    for (const { action, bound } of steps) action.step(bound, visit)
  }
  if (taken !== runs * COMMIT.length) throw new Error(`${taken} steps were taken, not ${runs * COMMIT.length}`)
  return rate(taken, began)
}

/** With the configuration's invariants, which are checked in every new state, and without. */
function raft(count: number): Record<'loadMs' | 'traceMs' | 'checkedMs' | 'againMs', number> {
  const traces = Array.from({ length: count + WARM_UP }, (_, seed) => raftTrace(seed + 1, 100))
  const text = readFileSync(RAFT_CONFIGURATION, 'utf8')
  const [, traceMs, againMs] = timesOf(traces, text.replace(/^INVARIANTS.*/m, ''))
  const [loadMs, checkedMs] = timesOf(traces, text)
  return {
    loadMs: rounded(loadMs, 3),
    traceMs: rounded(traceMs, 3),
    checkedMs: rounded(checkedMs, 3),
    againMs: rounded(againMs, 3),
  }
}

/** Milliseconds to load, to follow a trace, and to follow it again; the latter two are medians. */
function timesOf(traces: readonly Trace[], text: string): readonly [load: number, trace: number, again: number] {
  const began = performance.now()
  const model = tlaModel(RAFT, { configuration: { text } })
  model.reset()
  const load = performance.now() - began
  const follow = (trace: Trace) => {
    const begun = performance.now()
    model.reset()
    for (const [action, parameters] of trace) {
      const applied = model.apply(action, parameters)
      if (!applied.enabled) throw new Error(`${action}: ${applied.reason}`)
    }
    return performance.now() - begun
  }
  for (const trace of traces.slice(0, WARM_UP)) follow(trace)
  const measured = traces.slice(WARM_UP)
  return [load, median(measured.map(follow)), median(measured.map(follow))]
}

/** Traces followed before any is measured: V8 compiles code that runs often. */
const WARM_UP = 10

function rate(steps: number, began: number): number {
  return steps / ((performance.now() - began) / 1000)
}

type Phase = {
  readonly resource: Readonly<Record<string, string>>
  readonly coordinator: string
  readonly ready: readonly string[]
  readonly messages: readonly string[]
}

/** The actions of models/TwoPhaseCommit.tla that the trace takes. */
const TWO_PHASE_IN_TYPESCRIPT = {
  init: {
    resource: Object.fromEntries(RESOURCES.map((r) => [r, 'working'])),
    coordinator: 'undecided',
    ready: [],
    messages: [],
  } as Phase,
  actions: {
    GetReady: (state: Phase, r: string) =>
      state.resource[r] === 'working'
        ? { ...state, resource: { ...state.resource, [r]: 'ready' }, messages: added(state.messages, `ready ${r}`) }
        : disabled('it is not working'),
    NoteReady: (state: Phase, r: string) =>
      state.coordinator === 'undecided' && state.messages.includes(`ready ${r}`)
        ? { ...state, ready: added(state.ready, r) }
        : disabled('it has decided, or has not heard'),
    Decide: (state: Phase, outcome: string) =>
      state.coordinator === 'undecided' && (outcome === 'aborted' || state.ready.length === RESOURCES.length)
        ? { ...state, coordinator: outcome, messages: added(state.messages, outcome) }
        : disabled('it has decided, or not all are ready'),
    Obey: (state: Phase, r: string, outcome: string) =>
      state.messages.includes(outcome)
        ? { ...state, resource: { ...state.resource, [r]: outcome } }
        : disabled('nothing is decided'),
  },
}

function added(set: readonly string[], element: string): readonly string[] {
  return set.includes(element) ? set : [...set, element].sort()
}
