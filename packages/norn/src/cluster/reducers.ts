/** Actors written as pure functions: `(state, event) => { state, effects }`. */
import type { Actor, ActorContext } from './actors.ts'
import { synchronous } from './synchronous.ts'
import type { Data, NodeId } from './system.ts'

/**
 * An event that a reducer handles.
 *
 * @public
 */
export type ReducerEvent =
  | { readonly type: 'start' }
  | { readonly type: 'restart' }
  | { readonly type: 'message'; readonly from: NodeId; readonly message: Data }
  | { readonly type: 'timeout'; readonly timer: string }
  | { readonly type: 'request'; readonly id: number; readonly request: Data }

/**
 * What a reducer does beside changing its state.
 *
 * @public
 */
export type Effect =
  | { readonly type: 'send'; readonly to: NodeId; readonly message: Data }
  | { readonly type: 'setTimer'; readonly timer: string; readonly delayMs: number }
  | { readonly type: 'clearTimer'; readonly timer: string }
  | { readonly type: 'reply'; readonly request: number; readonly reply: Data }
  | { readonly type: 'event'; readonly name: string; readonly data?: Data }
  | { readonly type: 'persist'; readonly data: Data }

/**
 * What a reducer knows apart from its state.
 *
 * @public
 */
export type Self = Pick<ActorContext, 'id' | 'nodes' | 'nowMs' | 'random'>

/**
 * A node written as two functions.
 *
 * @public
 */
export interface Reducer<State, Event extends ReducerEvent = ReducerEvent> {
  /** The initial state. @param durable the durable data; undefined if nothing was persisted */
  init(self: Self, durable: unknown): State
  /** The next state (default: unchanged) and the effects (default: none) of an event. */
  handle(state: State, event: Event, self: Self): { readonly state?: State; readonly effects?: readonly Effect[] }
}

/**
 * Makes an actor of a reducer, for `actors`.
 *
 * @public
 * @throws TypeError if `init` or `handle` is not a function
 */
export function reducer<State, Event extends ReducerEvent = ReducerEvent>(
  reduce: Reducer<State, Event>,
): (context: ActorContext) => Actor & { readonly state: State } {
  for (const name of ['init', 'handle'] as const) {
    if (typeof reduce?.[name] !== 'function')
      throw new TypeError(`reducer({ init, handle }): \`${name}\` must be a function`)
  }
  return (context) => new ReducerActor(reduce as Reducer<State>, context)
}

class ReducerActor<State> implements Actor {
  readonly #reducer: Reducer<State>
  readonly #context: ActorContext
  #state: State

  constructor(reducer: Reducer<State>, context: ActorContext) {
    this.#reducer = reducer
    this.#context = context
    this.#state = synchronous(reducer.init(context, context.durable), () => `the reducer '${context.id}'`)
  }

  get state(): State {
    return this.#state
  }

  onStart(): void {
    this.#handle({ type: 'start' })
  }

  onRestart(): void {
    this.#handle({ type: 'restart' })
  }

  onMessage(message: Data, from: NodeId): void {
    this.#handle({ type: 'message', from, message })
  }

  onTimer(timer: string): void {
    this.#handle({ type: 'timeout', timer })
  }

  onRequest(request: Data, id: number): void {
    this.#handle({ type: 'request', id, request })
  }

  #handle(event: ReducerEvent): void {
    const context = this.#context
    const given = synchronous(this.#reducer.handle(this.#state, event, context), () => `the reducer '${context.id}'`)
    if (typeof given !== 'object' || given === null) {
      throw new TypeError(
        `the reducer '${context.id}' returned ${String(given)} for '${event.type}': it must return { state, effects } (both optional)`,
      )
    }
    const { state, effects = [] } = given
    if (state !== undefined) this.#state = state
    for (const effect of effects) {
      switch (effect.type) {
        case 'send':
          context.send(effect.to, effect.message)
          break
        case 'setTimer':
          context.setTimer(effect.timer, effect.delayMs)
          break
        case 'clearTimer':
          context.clearTimer(effect.timer)
          break
        case 'reply':
          context.reply(effect.request, effect.reply)
          break
        case 'event':
          context.event(effect.name, effect.data)
          break
        case 'persist':
          context.persist(effect.data)
          break
        default:
          throw new TypeError(`node '${context.id}': no effect is of type '${String((effect as Effect).type)}'`)
      }
    }
  }
}
