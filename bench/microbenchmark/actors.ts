/**
 * The microbenchmark of ModelFuzz (section 5.1 of the paper) as actors: an AppMaster, m workers, a
 * Terminator, a client.
 *
 * Workers and the Terminator register with the AppMaster, which drops the client's Request until
 * all have registered. Then worker 1 gets Execute(0), and the Terminator gets Terminate and sends
 * Flush to worker 1. The worker has n Executes: it counts down with each and sends itself the next
 * one, until none is left or it has flushed; at Flush it stores how many are left. The seeded bug:
 * none is left, and exactly one was left at Flush. So Flush must come just before the last Execute.
 *
 * m counts the workers only: the published model has 3^(m+1) states before the request is accepted.
 *
 * The published actors run under Coyote, which schedules one actor at a time: an actor starts (and
 * announces itself, or requests) when it is first scheduled, then handles one event of its inbox, a
 * queue for all senders. Here the start is a timer, and a step delivers one message, so steps are
 * equivalent. But channels are FIFO per sender and receiver, as everywhere in ModelFuzz and norn.
 * The window is still one Execute of n, but more schedules reach it: under Coyote, Flush queues
 * behind the waiting Execute, so only the time of Terminate matters; here Terminate may be handled
 * at any time before, and the time of Flush matters. If each step is uniform over the enabled ones,
 * a random schedule hits the window with probability 2^-(n-1) there (once the request is accepted),
 * and n 2^-(n+1) here: 2.5 times as likely for n = 10, and 10 times for n = 40, where neither
 * happens.
 */

import { type ActorContext, type ActorFactory, actors } from '../../packages/norn/src/cluster/actors.ts'
import type { ClusterOptions, ModelBinding } from '../../packages/norn/src/cluster/definition.ts'
import type { LogEntry } from '../../packages/norn/src/cluster/log.ts'
import type { NodeId } from '../../packages/norn/src/cluster/system.ts'
import type { ModelDefinition } from '../../packages/norn/src/model/definition.ts'
import type { Action } from '../../packages/norn/src/model/model.ts'
import { defineModel } from '../../packages/norn/src/model/typescript-model.ts'
import { microbenchmarkModel, type Size } from './model.ts'

export interface MicrobenchmarkOptions extends Size {
  /**
   * When an actor announces itself, or the client asks: `scheduled`, as the published ones do, or
   * `at once`, before any step. `scheduled` unless set.
   */
  readonly begin?: 'scheduled' | 'at once'
  /** The model that is followed; the published one unless set. */
  readonly model?: ModelDefinition<object>
}

type Message =
  | { readonly type: 'RegisterWorker'; readonly worker: number }
  | { readonly type: 'RegisterTerminator' | 'Request' | 'Terminate' | 'Flush' }
  | { readonly type: 'Execute'; readonly request: number }

const BEGIN = 'begin'
const BEGIN_MS = 1

export const MASTER: NodeId = 'master'
export const TERMINATOR: NodeId = 'terminator'
export const CLIENT: NodeId = 'client'

/** @param worker from 1 */
export function workerNode(worker: number): NodeId {
  return `worker${worker}`
}

/** The cluster, with at most 100 steps, as in the paper. */
export function microbenchmark(options: MicrobenchmarkOptions): ClusterOptions {
  const { workers, executes, begin = 'scheduled' } = options
  const each = (make: (worker: number) => ActorFactory) =>
    Object.fromEntries(Array.from({ length: workers }, (_, at) => [workerNode(at + 1), make(at + 1)]))
  return {
    system: () =>
      actors({
        [MASTER]: (context) => new AppMaster(context, workers),
        ...each((worker) => (context) => new Worker(context, worker, executes, begin)),
        [TERMINATOR]: (context) => new Terminator(context, begin),
        [CLIENT]: (context) => new Client(context, begin),
      }),
    steps: 100,
    network: { order: 'fifo', perStep: 1 },
    model: microbenchmarkBinding(options),
  }
}

/**
 * How executions are followed in the model: as in the paper, where an action that is disabled
 * leaves the state as it is.
 */
function microbenchmarkBinding(options: MicrobenchmarkOptions): ModelBinding {
  const definition = options.model ?? (microbenchmarkModel(options) as ModelDefinition<object>)
  const beginsWith: LogEntry['kind'] = options.begin === 'at once' ? 'start' : 'timeout'
  const announcements = new Map<NodeId, Action>([[TERMINATOR, { action: 'AnnounceTerminator' }]])
  for (let worker = 1; worker <= options.workers; worker++) {
    announcements.set(workerNode(worker), { action: 'AnnounceWorker', parameters: [worker] })
  }
  return {
    model: defineModel(definition),
    actions({ kind, node, data }) {
      if (kind === beginsWith) return announcements.get(node)
      return kind === 'deliver' ? handled(data as Message) : undefined
    },
  }
}

/** The action that stands for the handling of a message. */
function handled(message: Message): Action {
  switch (message.type) {
    case 'RegisterWorker':
      return { action: 'RegisterWorker', parameters: [message.worker] }
    case 'Execute':
      return { action: 'Execute', parameters: [message.request] }
    default:
      return { action: message.type }
  }
}

/** Does something when it begins. */
abstract class Beginning {
  readonly context: ActorContext
  readonly #begin: 'scheduled' | 'at once'

  constructor(context: ActorContext, begin: 'scheduled' | 'at once') {
    this.context = context
    this.#begin = begin
  }

  onStart(): void {
    if (this.#begin === 'at once') this.tellMaster()
    else this.context.setTimer(BEGIN, BEGIN_MS)
  }

  onTimer(): void {
    this.tellMaster()
  }

  protected abstract tellMaster(): void
}

class AppMaster {
  readonly #context: ActorContext
  readonly #workers: number
  readonly #registered = new Set<number>()
  #hasTerminator = false

  constructor(context: ActorContext, workers: number) {
    this.#context = context
    this.#workers = workers
  }

  onMessage(message: Message): void {
    if (message.type === 'RegisterWorker') this.#registered.add(message.worker)
    else if (message.type === 'RegisterTerminator') this.#hasTerminator = true
    else if (this.#registered.size === this.#workers && this.#hasTerminator) {
      this.#context.send(workerNode(1), { type: 'Execute', request: 0 } satisfies Message)
      this.#context.send(TERMINATOR, { type: 'Terminate' } satisfies Message)
    }
  }
}

class Worker extends Beginning {
  readonly #worker: number
  /** N of the paper: what is left to execute. */
  #left: number
  /** FlushFlag of the paper: what was left at Flush; -1 before. */
  #leftAtFlush = -1

  constructor(context: ActorContext, worker: number, executes: number, begin: 'scheduled' | 'at once') {
    super(context, begin)
    this.#worker = worker
    this.#left = executes
  }

  protected override tellMaster(): void {
    this.context.send(MASTER, { type: 'RegisterWorker', worker: this.#worker } satisfies Message)
  }

  onMessage(message: Message): void {
    if (message.type === 'Flush') {
      this.#leftAtFlush = this.#left
    } else if (message.type === 'Execute') {
      this.#left--
      if (this.#left > 0 && this.#leftAtFlush === -1) {
        this.context.send(this.context.id, { type: 'Execute', request: message.request + 1 } satisfies Message)
      }
      if (this.#left === 0 && this.#leftAtFlush === 1) throw new SeededBug()
    }
  }
}

class Terminator extends Beginning {
  protected override tellMaster(): void {
    this.context.send(MASTER, { type: 'RegisterTerminator' } satisfies Message)
  }

  onMessage(): void {
    this.context.send(workerNode(1), { type: 'Flush' } satisfies Message)
  }
}

class Client extends Beginning {
  protected override tellMaster(): void {
    this.context.send(MASTER, { type: 'Request' } satisfies Message)
  }
}

/** What is to be found. */
export class SeededBug extends Error {
  override readonly name = 'SeededBug'

  constructor() {
    super('the last Execute was handled right after Flush')
  }
}
