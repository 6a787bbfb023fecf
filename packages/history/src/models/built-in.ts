/** What the models that come with the package have in common. */
import type { HistoryEvent } from '../history/event.ts'
import type { Reading } from '../history/history-builder.ts'
import { HistoryError } from '../history/history-error.ts'
import { canonical } from './canonical.ts'
import type { ObjectModel } from './model.ts'

/** An operation on one of several independent objects: the key says which. */
export interface Keyed {
  readonly key?: unknown
}

/** A model, and how the events of a log become operations on it. */
export interface BuiltInModel<State, Input, Output> extends ObjectModel<State, Input, Output> {
  readonly reading: Reading<Input, Output>
}

/**
 * Reads events with a function for each operation.
 *
 * @param object the model's name, for messages
 * @throws HistoryError if the model has no such operation
 */
export function readingOf<Input, Output>(
  object: string,
  inputs: Readonly<Record<string, (call: HistoryEvent) => Input>>,
  outputs: Readonly<Record<string, (end: HistoryEvent) => Output>> = {},
): Reading<Input, Output> {
  return (call, end) => {
    const input = Object.hasOwn(inputs, call.f) ? inputs[call.f] : undefined
    if (input === undefined) {
      const names = Object.keys(inputs).join(', ')
      throw new HistoryError(`${object} has no operation '${call.f}': use ${names}`, call.line)
    }
    const key = call.key === undefined ? undefined : { key: call.key }
    const output = outputs[call.f]
    return {
      input: { ...input(call), ...key },
      ...(end?.type === 'ok' && { output: output === undefined ? (end.value as Output) : output(end) }),
    }
  }
}

/** An operation for people: `write(3)`, `read("x") = 4`. */
export function describeCall(
  name: string,
  args: readonly unknown[],
  output?: { readonly value: unknown } | undefined,
): string {
  const texts = args.filter((arg) => arg !== undefined).map(canonical)
  return `${name}(${texts.join(', ')})${output === undefined ? '' : ` = ${canonical(output.value ?? null)}`}`
}
