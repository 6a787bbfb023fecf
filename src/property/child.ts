/**
 * The process that runs executions: installs the world, then does what the campaign's process asks.
 *
 * Started by worker.ts with `--expose-internals`. It writes every execution to the flight recorder before it begins,
 * and ends by `reallyExit`, so that nothing the program under test registered for the end of the process reaches the
 * real disk.
 */
import { openSync, writeSync } from 'node:fs'
import { campaign } from '../explore/campaign.ts'
import type { ExecutionResult, Executor, Plan } from '../explore/execution.ts'
import { shrink } from '../explore/shrink.ts'
import { Loader } from '../instrument/loader.ts'
import { World } from '../world/world.ts'
import { type ExplainedResult, listProperties, PropertyExecutor } from './executor.ts'
import { frameOf } from './frames.ts'
import type { ChildConfiguration, Explanation, ListedProperty, Notice, Reply, Request } from './protocol.ts'
import { sharedModules } from './shared-modules.ts'

const PROGRESS_MS = 100
const RECORD_BYTES = 4 * 1024 * 1024

type Listener = (message: { configuration: ChildConfiguration } | Request) => void

const send = process.send?.bind(process)
if (send === undefined) throw new Error('this file is started by norn, with a channel to it')

let session: Session | undefined

const listener: Listener = (message) => {
  if ('configuration' in message) {
    session = new Session(message.configuration)
    return
  }
  session!.answer(message).then(
    (reply) => send(reply),
    (error: Error) => send({ type: 'refused', message: error.message, stack: error.stack ?? '' } satisfies Reply),
  )
}
process.on('message', listener)
process.on('disconnect', () => (process as unknown as { reallyExit(code: number): never }).reallyExit(0))

class Session {
  readonly #configuration: ChildConfiguration
  readonly #world: World
  readonly #loader: Loader
  readonly #recorder: number
  #sequence = 0
  #execution = 0
  #lastProgress = 0

  constructor(configuration: ChildConfiguration) {
    this.#configuration = configuration
    this.#world = World.install({ root: configuration.root })
    this.#loader = new Loader({
      shared: sharedModules(),
      aliases: new Map(configuration.aliases),
      refuse: (what) => this.#world.refuse(what),
      outside: (action) => this.#world.outside(action),
    })
    this.#recorder = openSync(configuration.flightRecorder, 'w')
  }

  async answer(request: Request): Promise<Reply> {
    switch (request.type) {
      case 'list':
        return { type: 'listed', properties: await this.#list() }
      case 'explore':
        return this.#explore(request)
      case 'execute':
        return this.#execute(request)
      case 'shrink':
        return this.#shrink(request)
    }
  }

  async #list(): Promise<ListedProperty[]> {
    const properties = await listProperties(this.#world, this.#loader, this.#configuration.file)
    return properties.map(({ name, mode, inputs, options: { examples = [], ...options } }) => ({
      name,
      mode,
      examples: examples.length,
      inputs: Object.keys(inputs),
      options,
    }))
  }

  async #explore({ property, options }: Extract<Request, { type: 'explore' }>): Promise<Reply> {
    let shrinking = false
    const executor = this.#executor(property, () => this.#progress(shrinking))
    const end = performance.now() + options.timeMs
    const summary = await campaign(
      executor,
      { ...options, examples: property.examples, expired: () => performance.now() >= end },
      {
        starting: (execution) => {
          this.#execution = execution
          shrinking = false
        },
        found: (failure) => {
          shrinking = true
          notify({ type: 'found', failure: withoutReport(failure) })
        },
        shrunk: (failure) => notify({ type: 'shrunk', failure: withoutReport(failure) }),
        flaky: (failure) =>
          notify({
            type: 'flaky',
            failure: { ...failure, first: plain(failure.first), second: plain(failure.second) },
          }),
        voided: (execution, report) => notify({ type: 'voided', execution, report }),
      },
    )
    return { type: 'explored', summary }
  }

  async #execute(request: Extract<Request, { type: 'execute' }>): Promise<Reply> {
    const { property, plan, explain, journal } = request
    const executor = this.#executor(property, () => {}, journal)
    if (!explain) return { type: 'executed', result: plain(await executor.execute(plan)) }
    const result = await executor.explain(plan)
    return { type: 'executed', result: plain(result), explanation: this.#explanation(result) }
  }

  async #shrink({ property, plan, timeMs }: Extract<Request, { type: 'shrink' }>): Promise<Reply> {
    const executor = this.#executor(property, () => this.#progress(true))
    const first = await executor.execute(plan)
    if (first.verdict !== 'failed') return { type: 'shrunken', first: plain(first) }
    const end = performance.now() + timeMs
    const outcome = await shrink(executor, plan.input, first, () => performance.now() >= end)
    return { type: 'shrunken', first: plain(first), outcome: { ...outcome, result: plain(outcome.result) } }
  }

  /** An executor that notes each execution in the flight recorder before it begins. */
  #executor(property: ListedProperty, beforeEach: () => void, journal?: string): Executor & PropertyExecutor {
    const journalFile = journal === undefined ? undefined : openSync(journal, 'w')
    return new PropertyExecutor({
      world: this.#world,
      loader: this.#loader,
      file: this.#configuration.file,
      root: this.#configuration.root,
      property,
      onExecution: (plan) => {
        this.#record(plan)
        beforeEach()
      },
      ...(journalFile === undefined
        ? {}
        : {
            onChoice: (lane, { label, min, max, value }) => {
              const line = `${JSON.stringify([lane, label, `${min}`, `${max}`, `${value}`, typeof value])}\n`
              this.#world.outside(() => writeSync(journalFile, line))
            },
          }),
    })
  }

  #record(plan: Plan): void {
    const record = JSON.stringify(
      { sequence: ++this.#sequence, execution: this.#execution, plan },
      (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
    )
    if (record.length < RECORD_BYTES) writeSync(this.#recorder, `${record}\n`, 0)
  }

  #progress(shrinking: boolean): void {
    const now = performance.now()
    if (now - this.#lastProgress < PROGRESS_MS) return
    this.#lastProgress = now
    notify({ type: 'progress', executions: this.#execution, shrinking })
  }

  #explanation({ report }: ExplainedResult): Explanation {
    const positions = {
      root: () => this.#configuration.root,
      original: (file: string, line: number, column: number) => this.#loader.originalPosition(file, line, column),
    }
    const origins = [...report.origins].map(([label, origin]) => [label, frameOf(origin, positions)] as const)
    return { trace: report.trace, origins: new Map(origins) }
  }
}

function notify(notice: Notice): void {
  send!(notice)
}

function withoutReport<Failure extends { result: ExecutionResult }>(failure: Failure): Failure {
  return { ...failure, result: plain(failure.result) }
}

/** A result without what only this process can use. */
function plain(result: ExecutionResult & { report?: unknown }): ExecutionResult {
  const { report: _, ...rest } = result
  return rest
}
