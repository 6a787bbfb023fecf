/**
 * Runs the executions of one property in this process, under the world.
 *
 * For each execution the modules are instantiated afresh, the property is found by its name, its input is generated
 * from the tape (or taken from where the plan says), and its body runs. The first execution of all is a warm-up that
 * nobody sees: Node initialises parts of itself lazily, and a trace must not depend on who came first.
 */
import { inspect } from 'node:util'
import type { ExecutionResult, Executor, InputPlan, Plan } from '../explore/execution.ts'
import type { Loader } from '../instrument/loader.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import { chance } from '../tape/chance.ts'
import type { Choice } from '../tape/choice.ts'
import type { Lane } from '../tape/lane.ts'
import { inputSeed, scheduleOrdinal } from '../tape/name.ts'
import { type Following, NO_CHOICES, replaySource } from '../tape/replay.ts'
import { type ChoiceSource, Tape } from '../tape/tape.ts'
import { parseScheduleLabel } from '../world/labels.ts'
import { hashTrace } from '../world/trace.ts'
import { type Bounds, DEFAULT_BOUNDS, type ExecutionReport, type World } from '../world/world.ts'
import { proposeInput } from './bias.ts'
import { type CurrentExecution, setCurrentExecution } from './current.ts'
import { describeFailure } from './describe-failure.ts'
import { framesOf, type Positions, readableStack } from './frames.ts'
import { collectProperties, type Property, type PropertyOptions } from './property.ts'
import { TapeRandom } from './random.ts'
import { type LiveInput, loadInput, saveInput } from './saved-input.ts'

export interface ExecutorOptions {
  readonly world: World
  readonly loader: Loader
  /** Absolute path of the file of properties. */
  readonly file: string
  /** The property's name, and the options it was declared with. */
  readonly property: Pick<Property, 'name' | 'options'>
  readonly root: string
  /** Told of every execution before it begins. */
  readonly onExecution?: (plan: Plan) => void
  /** Told of every choice as it is drawn. */
  readonly onChoice?: (lane: Lane, choice: Choice) => void
}

export interface ExplainedResult extends ExecutionResult {
  readonly report: ExecutionReport
}

/** Salts that keep the sequences of the lanes apart. */
const INPUT_SALT = 0x696e7075
const SCHEDULE_SALT = 0x73636864

const MAX_INPUT_TEXT = 4000

export class PropertyExecutor implements Executor {
  readonly #options: ExecutorOptions
  #warm = false

  constructor(options: ExecutorOptions) {
    this.#options = options
  }

  async execute(plan: Plan): Promise<ExecutionResult> {
    return this.#run(plan, false)
  }

  /** Runs a plan and also gives its trace, with the source line that started each operation. */
  async explain(plan: Plan): Promise<ExplainedResult> {
    return this.#run(plan, true)
  }

  async #run(plan: Plan, explain: boolean): Promise<ExplainedResult> {
    if (!this.#warm) {
      this.#warm = true
      const zero: Plan = { input: { from: 'tape' }, choices: { from: 'record', choices: NO_CHOICES } }
      // It may hang or die like any other; its choices are natural, so there is nothing to note of them.
      this.#options.onExecution?.(zero)
      await inMacrotask(() => this.#once(zero, false, undefined))
    }
    this.#options.onExecution?.(plan)
    return inMacrotask(() => this.#once(plan, explain, this.#options.onChoice))
  }

  #once(plan: Plan, explain: boolean, onChoice: ExecutorOptions['onChoice']): ExplainedResult {
    const { world, file, property } = this.#options
    const { source, length, following } = choiceSource(plan)
    const tape = new Tape(source, length, onChoice)
    let input: LiveInput | undefined
    let inputChoices = 0
    const report = world.execute<Property>(
      tape,
      {
        load: () => {
          const collected = collectProperties()
          const instance = this.#options.loader.instantiate()
          const find = () => findProperty(collected.finish(), property.name, file)
          const loaded = instance.import(file)
          return loaded instanceof Promise ? loaded.then(find) : find()
        },
        body: (fresh) => {
          const prepared = prepareInput(fresh, plan.input, tape)
          input = prepared.live
          inputChoices = tape.count('input')
          setCurrentExecution(prepared.current)
          return fresh.body(prepared.live.values)
        },
      },
      { bounds: boundsOf(property.options), explain },
    )
    setCurrentExecution(undefined)
    const record = tape.record()
    const summary = {
      inputChoices,
      points: report.points,
      chains: report.chains,
      durationUs: report.durationUs,
      ...(following === undefined ? {} : { following }),
      report,
    }
    const { ending } = report
    if (ending.kind === 'passed' && !explain) return { verdict: 'passed', ...summary }
    const saved = input === undefined ? undefined : saveInput(input)
    const details = {
      ...summary,
      choices: record,
      traceHash: hashTrace(report.trace),
      inputText: input === undefined ? '' : describeInput(input),
      output: report.output,
      ...(saved === undefined ? {} : { input: saved }),
    }
    if (ending.kind === 'passed') return { verdict: 'passed', ...details }
    if (ending.kind === 'void') {
      const { what, stack } = ending
      const voided = { what, stack: readableStack(stack, this.#positions), frames: framesOf(stack, this.#positions) }
      return { verdict: 'void', voided, ...details }
    }
    const { kind, error } = ending.failure
    return { verdict: 'failed', failure: describeFailure(kind, error, this.#positions), ...details }
  }

  readonly #positions: Positions = {
    root: () => this.#options.root,
    original: (file, line, column) => this.#options.loader.originalPosition(file, line, column),
  }
}

/** What a file of properties declares; throws what its evaluation throws. */
export async function listProperties(world: World, loader: Loader, file: string): Promise<readonly Property[]> {
  let properties: readonly Property[] = []
  const load = () => {
    const collected = collectProperties()
    const loaded = loader.instantiate().import(file)
    const finish = () => {
      properties = collected.finish()
    }
    return loaded instanceof Promise ? loaded.then(finish) : finish()
  }
  const report = await inMacrotask(() => world.execute(new Tape(() => undefined), { load, body: () => {} }))
  if (report.ending.kind === 'failed') throw report.ending.failure.error
  if (report.ending.kind === 'void') {
    const error = new Error(`while ${file} was loaded: ${report.ending.what} is not controlled`)
    error.stack = report.ending.stack.replace(/^[^\n]*/, String(error))
    throw error
  }
  return properties
}

function boundsOf(options: PropertyOptions): Bounds {
  const { latenessMs, maxSteps, maxVirtualMs } = options
  return {
    latenessUs: latenessMs === undefined ? DEFAULT_BOUNDS.latenessUs : Math.round(latenessMs * 1000),
    maxSteps: maxSteps ?? DEFAULT_BOUNDS.maxSteps,
    maxVirtualUs: maxVirtualMs === undefined ? DEFAULT_BOUNDS.maxVirtualUs : Math.round(maxVirtualMs * 1000),
  }
}

function findProperty(properties: readonly Property[], name: string, file: string): Property {
  const found = properties.find((property) => property.name === name)
  if (found !== undefined) return found
  const names = properties.map((property) => `'${property.name}'`).join(', ')
  throw new Error(`${file} declares no property '${name}'; it declares ${names === '' ? 'none' : names}`)
}

/** The source of a plan's choices. The lanes draw from sequences of their own, so neither shifts the other. */
function choiceSource({ choices }: Plan): { source: ChoiceSource; length: number; following?: Following } {
  if (choices.from === 'record') return { ...replaySource(choices.choices), length: choices.choices.length }
  const { seed, length } = choices.name
  const inputChance = chance(INPUT_SALT, inputSeed(seed))
  const scheduleChance = chance(SCHEDULE_SALT, seed)
  const strategy = strategyChooser(choices.strategy)(scheduleOrdinal(seed))
  const scheduler = strategy.begin(scheduleChance, choices.estimates)
  const source: ChoiceSource = ({ lane, label, min, max }) => {
    if (lane === 'input') return proposeInput(inputChance, min, max)
    if (lane === 'fault') return undefined
    const point = parseScheduleLabel(label)
    if (point !== undefined) return scheduler({ kind: point.point, chain: point.chain, maxUs: Number(max) })
    return strategy.name !== 'natural' && scheduleChance.coin(0.5) ? scheduleChance.bits() : undefined
  }
  return { source, length }
}

/** The input that a plan asks for, and what the body may ask while it runs. */
function prepareInput(property: Property, plan: InputPlan, tape: Tape): { live: LiveInput; current: CurrentExecution } {
  const saved = plan.from === 'saved' ? loadInput(plan.input) : undefined
  const draws: { label: string; value: unknown }[] = []
  const values = saved?.values ?? (plan.from === 'example' ? example(property, plan.index) : generate(property, tape))
  const current: CurrentExecution = {
    outOfEntropy: () => tape.outOfEntropy,
    draw(arbitrary, label) {
      const earlier = saved?.draws[draws.length]
      const value =
        earlier?.label === label
          ? (earlier.value as never)
          : tape.span(
              'input',
              label,
              () => arbitrary.generate(TapeRandom.over(tape, label, draws.length), undefined).value,
            )
      draws.push({ label, value })
      return value
    },
  }
  return { live: { values, draws }, current }
}

function generate(property: Property, tape: Tape): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, arbitrary] of Object.entries(property.inputs)) {
    values[name] = tape.span('input', name, () => arbitrary.generate(TapeRandom.over(tape, name), undefined).value)
  }
  return values
}

/** A copy of an example: a body may change its input, and modules are fresh for each execution anyway. */
function example(property: Property, index: number): Record<string, unknown> {
  const found = property.options.examples?.[index]
  if (found === undefined) throw new Error(`the property '${property.name}' has no example ${index}`)
  return found
}

function describeInput({ values, draws }: LiveInput): string {
  const options = { depth: 6, compact: 3, breakLength: 100, maxArrayLength: 100, maxStringLength: 500, sorted: false }
  const parts = Object.entries(values).map(([name, value]) => `${name} = ${inspect(value, options)}`)
  for (const { label, value } of draws) parts.push(`draw ${label} = ${inspect(value, options)}`)
  return parts.join('\n').slice(0, MAX_INPUT_TEXT)
}

/** Runs an action in a macrotask of its own: the real loop turns between two executions, and microtasks can be drained. */
function inMacrotask<Result>(action: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(action())
      } catch (error) {
        reject(error)
      }
    })
  })
}
