/**
 * The history of a cluster: its requests are calls, and the first reply to each is its end.
 *
 * A request that is never answered has an unknown outcome: its node may have crashed, or its messages
 * may be lost or on their way.
 */
import {
  type End,
  type History,
  HistoryRecorder,
  type HistoryWatch,
  isMaelstromBody,
  maelstromEnd,
  maelstromInput,
} from 'norn-history'
import type { ClusterView, RequestView } from '../cluster/views.ts'

/**
 * What the requests and replies of a cluster mean to a model.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: an oracle does not know the cluster that it will check.
export interface RequestReading<Request = any> {
  /**
   * The input of the operation that a request is; undefined if it is none. Default: the request
   * itself if it has `f` or is an array of micro-operations; the operation that a request of
   * Maelstrom asks for if it has `type`.
   */
  readonly input?: (request: Request, id: number) => unknown
  /**
   * What a reply says: `{ outcome: 'ok', output }`, `{ outcome: 'fail' }` if the operation surely had no
   * effect, `{ outcome: 'unknown' }`. Default: ok, with the reply as output; errors and outputs of
   * Maelstrom are understood.
   */
  readonly end?: (reply: unknown, request: Request) => End
  /**
   * Who makes a request, for consistencies that keep the order of each process. Default: a process of
   * which nothing is known.
   */
  readonly process?: (request: RequestView<Request>) => number | string
}

export class ClusterHistory {
  readonly #view: ClusterView
  readonly #reading: RequestReading
  readonly #recorder: HistoryRecorder
  /** By the id of the request, until the first reply. */
  readonly #open = new Map<number, number>()
  /** How much of the log was read. */
  #read = 0

  constructor(view: ClusterView, reading: RequestReading, watch: HistoryWatch) {
    this.#view = view
    this.#reading = reading
    this.#recorder = new HistoryRecorder(watch)
  }

  history(): History {
    return this.#recorder.history()
  }

  /** @throws what the watch throws */
  readOn(): void {
    const { log } = this.#view
    while (this.#read < log.length) {
      const { kind, id, data } = log[this.#read++]!
      if (kind === 'request') this.#called(id)
      if (kind === 'reply') this.#replied(id, data)
    }
  }

  #called(id: number): void {
    const request = this.#view.requests[id]!
    const { input = inputOf } = this.#reading
    const read = input(request.request, id)
    if (read === undefined) return
    const process = this.#reading.process?.(request)
    this.#open.set(id, this.#recorder.call(read, process === undefined ? undefined : this.#oneOf(process)))
  }

  #replied(id: number, reply: unknown): void {
    const index = this.#open.get(id)
    if (index === undefined) return
    this.#open.delete(id)
    const { end = endOf } = this.#reading
    this.#recorder.end(index, end(reply, this.#view.requests[id]!.request))
  }

  /** A process that waits for an answer, or never learned how its operation ended, does not go on: another does. */
  #oneOf(process: number | string): number | string {
    let name = process
    for (let number = 2; !this.#recorder.isFree(name); number++) name = `${process}/${number}`
    return name
  }
}

function inputOf(request: unknown, id: number): unknown {
  if (Array.isArray(request) || typeof (request as { f?: unknown } | null)?.f === 'string') return request
  if (isMaelstromBody(request)) return maelstromInput(request)
  throw new TypeError(
    `request ${id} is not an operation of a model, such as { f: 'write', value: 1 }: pass the option \`input\``,
  )
}

function endOf(reply: unknown, request: unknown): End {
  const isAnswer = isMaelstromBody(request) || (isMaelstromBody(reply) && reply.type === 'error')
  return isAnswer && isMaelstromBody(reply) ? maelstromEnd(reply) : { outcome: 'ok', output: reply }
}
