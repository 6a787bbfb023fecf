/** `objectOf(model, mapping)`: a model of norn, such as a TLA+ specification, as the specification of an object. */
import { isEqual, type ObjectModel, States } from 'norn-history'
import type { AbstractState, Action, Model, Transitions } from '../model/model.ts'

/**
 * What operations are in a model.
 *
 * @public
 */
export interface ObjectMapping<Input, Output> {
  /** For people. Default: `object`. */
  readonly name?: string
  /**
   * The action that an operation is; several if it may be any of them, none if it cannot take effect.
   *
   * @param output undefined if the outcome is unknown: then the actions for all outputs are possible
   */
  action(input: Input, output: Output | undefined, isKnown: boolean): Action | readonly Action[]
  /**
   * What the state after an operation says that it returned; undefined if it does not say. Only states
   * with the output that was recorded are possible. By default actions take outputs as parameters.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the value of a state has the form that the model gives it.
  output?(state: any, input: Input): unknown
  /** Which independent object an operation belongs to; the model is of one such object. Default: there is one. */
  partition?(input: Input): unknown
  /** An operation for people: `write(3)`, `read() = 4`. */
  describe?(input: Input, output: Output | undefined, isKnown: boolean): string
}

/**
 * The specification of an object from a model, made by `tlaModel` or `defineModel`:
 *
 * ```ts
 * const queue = objectOf(tlaModel('Queue.tla'), {
 *   action: ({ f, value }) => (f === 'enqueue' ? { action: 'Enqueue', parameters: [value] } : { action: 'Dequeue' }),
 *   output: ({ result }, { f }) => (f === 'dequeue' ? result : undefined),
 * })
 * linearizable(queue).check(recording)
 * ```
 *
 * @public
 * @throws TypeError if the model cannot go from any state to any other
 */
export function objectOf<Input, Output = unknown>(
  model: Model,
  mapping: ObjectMapping<Input, Output>,
): ObjectModel<AbstractState, Input, Output> {
  if (model?.transitions === undefined)
    throw new TypeError('objectOf(model, mapping): model must be one of tlaModel or defineModel')
  const { name = 'object', action, output: outputOf, partition, describe } = mapping
  let made: Transitions | undefined
  const transitions = () => (made ??= model.transitions!())
  return {
    name,
    init() {
      const states = transitions().initial()
      if (states.length === 1) return states[0]!
      throw new TypeError(`objectOf: the model has ${states.length} initial states; an object has one`)
    },
    step(state, input, output, isKnown) {
      const actions = [action(input, output, isKnown)].flat() as readonly Action[]
      const next = actions.flatMap((each) => transitions().successors(state, each.action, each.parameters ?? []))
      const possible = next.filter(({ value }) => {
        const said = isKnown ? outputOf?.(value, input) : undefined
        return said === undefined || isEqual(said, output ?? null)
      })
      return possible.length === 1 ? possible[0]! : new States(possible)
    },
    key: (state) => transitions().key(state),
    partition,
    describe,
  }
}
