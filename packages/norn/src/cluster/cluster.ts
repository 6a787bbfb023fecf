/** `cluster(name, options)`: declares a cluster, which is searched like any property. */
import type fc from 'fast-check'
import type { ClusterRecord } from '../contract/cluster-record.ts'
import type { FailureKind, InjectedFault } from '../contract/execution.ts'
import type { ClusterObservation, DrawnSteps } from '../contract/observation.ts'
import type { Model } from '../model/model.ts'
import { declaredOf, limitsOf } from '../options/values.ts'
import { type CurrentExecution, currentExecution, type Simulated, type Suggest } from '../property/current.ts'
import { declare, mustCheck, type Property } from '../property/property.ts'
import { checkName, checkOptions } from './check-options.ts'
import { conforming } from './conformance.ts'
import type { ClusterOptions, ModelBinding } from './definition.ts'
import { eventOrders } from './event-orders.ts'
import { faultOf } from './faults/faults.ts'
import { FrameWatch, framesToWatch } from './frames/frame-watch.ts'
import { Proposal } from './frames/proposal.ts'
import { happenedIn } from './happened.ts'
import { entryJson } from './log.ts'
import { withoutRealTimers } from './no-real-timers.ts'
import { NodeStates } from './node-states.ts'
import { omittedRequests } from './omissions.ts'
import { LivenessError, runSchedule, type StepSource } from './run.ts'
import { Simulation } from './simulation.ts'
import { ProgramFailure } from './stdio/program-failure.ts'
import { NATURAL } from './steps.ts'
import type { Data } from './system.ts'

/**
 * The type of `cluster`.
 *
 * @public
 */
export interface Cluster {
  /**
   * Declares a cluster.
   *
   * @param name unique among the properties of the file
   * @throws TypeError that names the wrong option
   */
  <Request, State>(name: string, options: ClusterOptions<Request, State>): void
  /** Declares a cluster that is not run. */
  skip: <Request, State>(name: string, options: ClusterOptions<Request, State>) => void
  /** Declares a cluster that is run instead of all others of the file. */
  only: <Request, State>(name: string, options: ClusterOptions<Request, State>) => void
}

/**
 * Declares a cluster: a distributed system that must not fail under any schedule of its events.
 *
 * @public
 */
export const cluster: Cluster = Object.assign(declarer('run'), { skip: declarer('skip'), only: declarer('only') })

function declarer(mode: Property['mode']) {
  return <Request, State>(name: string, typed: ClusterOptions<Request, State>): void => {
    if (mustCheck()) {
      checkName(name)
      checkOptions(name, typed)
    }
    // The simulation knows nothing of the types of states and requests.
    const options = typed as unknown as ClusterOptions
    const { requests = [], required = [] } = options
    const isGenerated = !Array.isArray(requests)
    const { model } = options
    const kept = model === undefined ? options : { ...options, model: withFirstModel(name, model) }
    declare({
      name,
      inputs: (isGenerated ? { requests } : {}) as Record<string, fc.Arbitrary<unknown>>,
      body: (inputs) => simulate(kept, (isGenerated ? inputs.requests : requests) as readonly Data[]),
      options: { required, ...declaredOf(options), ...limitsOf(options) },
      mode,
      kind: 'cluster',
      ...(model === undefined ? {} : { hasModel: true }),
    })
  }
}

/** The models of this process, by the name of their cluster. */
const MODELS = new Map<string, Model>()

/**
 * The modules of a file are instantiated anew for each execution, but a cluster keeps its first
 * model: abstract states keep their identity, and the model what it has memoized. Models are pure,
 * so a later instance would give the same answers.
 */
function withFirstModel(cluster: string, binding: ModelBinding): ModelBinding {
  const model = MODELS.get(cluster)
  if (model !== undefined) return { ...binding, model }
  MODELS.set(cluster, binding.model)
  return binding
}

/** Runs one execution on the tape of the current property. */
function simulate(declared: ClusterOptions, requests: readonly Data[]): void {
  const { model } = declared
  const current = currentExecution('cluster')
  const { conformance, proposals, frames } = current.demands
  const cluster = model !== undefined && conformance ? { ...declared, model: conforming(model) } : declared
  if (!Array.isArray(requests)) {
    const generated = typeof requests === 'object' ? 'an object' : `a ${typeof requests}`
    throw new TypeError(`\`requests\` generated ${generated}: it must generate an array`)
  }
  const isFixed = Array.isArray(cluster.requests) && requests.length > 0
  const leftOut = isFixed ? omittedRequests(requests.length, (label) => current.omits(label)) : undefined
  const issued = leftOut?.length ? requests.filter((_, at) => !leftOut.includes(at)) : requests
  // The world controls Math.random, and draws its seed from the tape.
  const asked = framesToWatch(frames, cluster)
  const settled = () => {
    watch?.settled(simulation.step)
    proposal?.settled()
    states?.settled()
  }
  const onSettled = asked === undefined && !proposals && !current.explains ? undefined : settled
  const simulation: Simulation = new Simulation({
    cluster,
    requests: issued,
    random: () => Math.random(),
    onSettled,
    follows: current.followsModel,
  })
  const watch = asked && new FrameWatch(asked, simulation.view)
  const proposal = proposals ? new Proposal(simulation.view) : undefined
  const states = current.explains ? new NodeStates(simulation.view) : undefined
  const execution = new ClusterExecution(simulation, current, { watch, proposal, states, leftOut })
  current.simulates(execution)
  try {
    withoutRealTimers(() => {
      simulation.start()
      runSchedule(simulation, execution, execution.performed, execution.drawn)
    })
  } catch (error) {
    // What the step that fails did before it failed.
    states?.settled()
    try {
      simulation.system.finish?.()
    } catch {
      // The first error is the failure.
    }
    throw error
  } finally {
    for (const name of simulation.events) current.note(name)
  }
  simulation.system.finish?.()
}

interface ExecutionExtras {
  readonly watch?: FrameWatch | undefined
  readonly proposal?: Proposal | undefined
  readonly states?: NodeStates | undefined
  /** The fixed requests that the execution leaves out; undefined if they are generated. */
  readonly leftOut?: readonly number[] | undefined
}

/** Connects a simulation to the tape, and reports what it did. */
export class ClusterExecution implements StepSource, Simulated {
  readonly performed: boolean[] = []
  readonly drawn: DrawnSteps = { classes: [], situations: [] }
  readonly #simulation: Simulation
  readonly #current: Pick<CurrentExecution, 'schedule'>
  readonly #steps: number[] = []
  readonly #watch: FrameWatch | undefined
  readonly #proposal: Proposal | undefined
  readonly #states: NodeStates | undefined
  readonly #leftOut: readonly number[] | undefined

  constructor(
    simulation: Simulation,
    current: Pick<CurrentExecution, 'schedule'>,
    { watch, proposal, states, leftOut }: ExecutionExtras = {},
  ) {
    this.#watch = watch
    this.#proposal = proposal
    this.#states = states
    this.#leftOut = leftOut
    this.#simulation = simulation
    this.#current = current
  }

  next(ordinal: number, max: number, suggest: Suggest): number {
    const code = this.#current.schedule(LABELS[ordinal] ?? String(ordinal), max, suggest)
    this.#steps.push(code)
    return code
  }

  observation(): ClusterObservation {
    const { trace, following, codes, system } = this.#simulation
    const { performed, drawn } = this
    const happened = happenedIn(this.#simulation)
    const frames = this.#watch && { frames: this.#watch.reached }
    const isUnfollowed = happened.isUnfollowed && { isUnfollowed: true }
    const [states, stateSteps] = [following?.states ?? [], following?.steps ?? []]
    const orders = () => eventOrders(this.#simulation.log)
    const species = () => (following === undefined ? undefined : this.#hashesOf(states)) ?? orders().pairs
    const counters = system.counters && { counters: system.counters }
    const steps = { performed, drawn, codes }
    return { trace, states, stateSteps, ...steps, happened, orders, species, ...isUnfollowed, ...frames, ...counters }
  }

  /** Undefined if the model does not hash its states. */
  #hashesOf(states: readonly number[]): readonly number[] | undefined {
    const model = this.#simulation.cluster.model?.model
    return model?.hash === undefined ? undefined : states.map((id) => model.hash!(id))
  }

  record(): ClusterRecord {
    const { nodes, log, codes, cluster } = this.#simulation
    const isRouted = cluster.route !== undefined
    const describe = (code: number) =>
      isRouted && codes.steps[code]?.kind === 'request' ? 'the next request' : codes.describe(code)
    const steps = this.#steps.flatMap((code, step) => (code === NATURAL ? [] : [[step, describe(code)] as const]))
    const proposed = this.#proposal && { proposed: this.#proposal.frames() }
    const leftOut = this.#leftOut && { leftOut: this.#leftOut }
    const quiet = cluster.quiet && { quiet: cluster.quiet }
    const states = this.#states && { states: this.#states.changes }
    return { nodes, log, steps, ...leftOut, ...quiet, ...proposed, ...states }
  }

  kindOf(error: unknown): FailureKind | undefined {
    return error instanceof LivenessError ? 'liveness' : undefined
  }

  takesRealTime(error: unknown): boolean {
    return error instanceof ProgramFailure && error.reason === 'ProgramHang'
  }

  lines(): readonly string[] {
    return this.#simulation.log.map(entryJson)
  }

  faults(): readonly InjectedFault[] {
    return this.#simulation.log.flatMap((entry) => {
      const fault = faultOf(entry)
      if (fault === undefined) return []
      const { node, peer, step, data } = entry
      const resource = node === '' ? JSON.stringify(data) : peer === '' ? node : `${peer} → ${node}`
      return { label: String(step), operation: fault.name, resource, fault: fault.name }
    })
  }

  get nodes(): number {
    return this.#simulation.nodes.length
  }

  get faultPoints(): number {
    return this.#simulation.quotas.every((quota) => quota === 0) ? 0 : this.#steps.length
  }
}

/** The label of a step is its ordinal. */
const LABELS = Array.from({ length: 1000 }, (_, ordinal) => String(ordinal))
