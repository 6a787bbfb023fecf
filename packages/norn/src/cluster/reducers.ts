/**
 * Actors that are functions: `(state, event) => effects`, without fields and without `this`. A node
 * is what its state is, and the state a plain value that every event replaces.
 */
import type { Actor, ActorContext, ActorFactory } from './actors.ts'
import { atOnce } from './at-once.ts'
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
 * What a node knows of itself and of the cluster, beside its state.
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
  /**
   * The state that a node begins with. @param durable what it had made durable; undefined when it
   * starts first
   */
  init(self: Self, durable: unknown): State
  /** What an event makes of a state, and what the node does. */
  handle(state: State, event: Event, self: Self): { readonly state?: State; readonly effects?: readonly Effect[] }
}

/**
 * Makes an actor of a reducer, for `actors`.
 *
 * @public
 * @throws TypeError if one of its two functions is none
 */
export function reducer<State, Event extends ReducerEvent = ReducerEvent>(reduce: Reducer<State, Event>): ActorFactory {
  for (const name of ['init', 'handle'] as const) {
    if (typeof reduce?.[name] !== 'function')
      throw new TypeError(
        `reducer({ init, handle }): \`${name}\` must be a function${name === 'init' ? ' that makes a state' : ''}`,
      )
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
    this.#state = atOnce(reducer.init(context, context.durable), () => `the reducer '${context.id}'`)
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
    const given = atOnce(this.#reducer.handle(this.#state, event, context), () => `the reducer '${context.id}'`)
    if (typeof given !== 'object' || given === null) {
      throw new TypeError(
        `the reducer '${context.id}' gave ${String(given)} for '${event.type}': it must give { state, effects }, where either may be missing`,
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
