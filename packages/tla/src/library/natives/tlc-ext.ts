/** Natives of TLCExt and Toolbox. Departs: AssertError accepts any error, as messages differ. */
import { TlaError } from '../../error/error.ts'
import type { Arena } from '../../values/arena.ts'
import { asSet, canonical } from '../../values/canonical.ts'
import { field } from '../../values/functions.ts'
import { hashOf } from '../../values/hash.ts'
import { refusal } from '../../values/refuse.ts'
import type { Canonical, Operator, Value } from '../../values/value.ts'
import { impure, type NativeTable, plain, pure, volatile } from '../native.ts'
import { sequence, text, wrongOperand } from '../operands.ts'
import { lookUp, setRegister } from '../registers.ts'
import type { Surroundings } from '../surroundings.ts'

function fails(message: Value, attempt: Operator): boolean {
  text(message, 'first', 'AssertError')
  try {
    attempt(true)
    return false
  } catch (error) {
    if (error instanceof TlaError && error.kind === 'evaluation') return true
    throw error
  }
}

/** The value of a register or a statistic; undefined if it has none. */
function known(surroundings: Surroundings, key: Value): Value | undefined {
  if (typeof key === 'number') return lookUp(surroundings, key)
  return typeof key === 'object' && key.kind === 'string' ? lookUp(surroundings, key.text) : undefined
}

/** CounterExample; without one, a record without states and steps. */
function counterexample({ arena, counterexample }: Surroundings): Value {
  if (counterexample !== undefined) return counterexample()
  return arena.record(arena.shape(['action', 'state']), [arena.emptySet, arena.emptySet])
}

/** The states of a counterexample, `{<<1, s1>>, <<2, s2>>, ...}`, as a sequence. */
function toTrace(arena: Arena, value: Value): Value {
  const states: Canonical[] = []
  for (const numbered of asSet(field(value, 'state')).elements) {
    const [number, state] = sequence(numbered, 'only', 'ToTrace')
    if (typeof number !== 'number' || state === undefined)
      throw wrongOperand('only', 'ToTrace', 'a CounterExample', value)
    states[number - 1] = state
  }
  return arena.tuple(states)
}

export const TLC_EXT: NativeTable = {
  Fails: impure(() => fails),
  TLCGetOrDefault: volatile((surroundings) => (key: Value, otherwise: Value) => known(surroundings, key) ?? otherwise),
  TLCGetAndSet: volatile((surroundings) => (key: Value, op: Operator, value: Value, otherwise: Value) => {
    const before = known(surroundings, key) ?? otherwise
    setRegister(surroundings, key, op(before, value))
    return before
  }),
  Trace: volatile((surroundings) => () => {
    if (surroundings.trace !== undefined) return surroundings.trace()
    throw refusal('Trace is undefined here: the path to the current state is not recorded')
  }),
  CounterExample: volatile((surroundings) => () => counterexample(surroundings)),
  ToTrace: pure(
    ({ arena }) =>
      (value: Value) =>
        toTrace(arena, value),
  ),
  TLCModelValue: pure(
    ({ arena }) =>
      (name: Value) =>
        arena.modelValue(text(name, 'only', 'TLCModelValue')),
  ),
  TLCFP: plain((value: Value) => hashOf(canonical(value)) | 0),
  TLCEvalDefinition: impure(() => () => {
    throw refusal('TLCEvalDefinition is not supported: refer to the definition by its name')
  }),
}

export const TOOLBOX: NativeTable = {
  _TETrace: volatile((surroundings) => () => {
    if (surroundings.counterexample !== undefined) return toTrace(surroundings.arena, surroundings.counterexample())
    throw refusal('_TETrace is undefined here: no counterexample is explored')
  }),
}
