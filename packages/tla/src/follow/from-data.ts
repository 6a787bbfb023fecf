/**
 * Converts JSON data to values of a specification: parameters in traces, log maps and calls.
 *
 *     3, true           the integer, the boolean
 *     "r1"              the model value r1, if the configuration has one of that name; else the string
 *     [1, 2]            <<1, 2>>
 *     {"a": 1}          [a |-> 1]
 *     {"$set": [1, 2]}             {1, 2}
 *     {"$function": [[1, "x"]]}    the function of these pairs of argument and value
 *     {"$string": "r1"}            the string, whatever model values there are
 *     {"$tla": "1..3"}             the value of the expression in the state where it is needed
 *
 * A string that names a model value becomes that model value, since configurations usually name
 * processes so. Write `$string` for the string of the same text.
 */
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { canonical } from '../values/canonical.ts'
import type { Canonical, Value } from '../values/value.ts'

/** Data nested deeper is rejected. */
const MAX_DEPTH = 100
const [SMALLEST, LARGEST] = [-(2 ** 31), 2 ** 31 - 1]

/** A compiled expression in place of the text in `$tla`, with data already filled in. */
export class Filled {
  readonly #text: string
  readonly evaluate: () => Value

  /** @param evaluate evaluates it in `machine.current`. @throws TlaError */
  constructor(text: string, evaluate: () => Value) {
    this.#text = text
    this.evaluate = evaluate
  }

  /** The text, for messages. */
  toJSON(): string {
    return this.#text
  }
}

/** Data that is not a value. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/**
 * The value that data stands for; `$tla` is evaluated in `machine.current`.
 *
 * @param what names the data in messages: `parameter r of RMPrepare`
 * @throws DataError for data that is not a value; TlaError of an expression
 */
export function fromData(machine: Machine, data: unknown, what: string): Value {
  return convert(machine, data, what, 0)
}

/** Whether its value may depend on the state: it contains a `$tla`. */
export function dependsOnState(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  return Object.hasOwn(data, '$tla') || Object.values(data).some(dependsOnState)
}

function convert(machine: Machine, data: unknown, what: string, depth: number): Value {
  const { arena } = machine
  const complain = (problem: string): never => {
    throw new DataError(`${what}: ${problem}`)
  }
  if (depth > MAX_DEPTH) complain(`nested deeper than ${MAX_DEPTH}`)
  switch (typeof data) {
    case 'boolean':
      return data
    case 'number':
      if (Number.isInteger(data) && data >= SMALLEST && data <= LARGEST) return data + 0
      return complain(`${data} is not a 32-bit integer: values have no other numbers`)
    case 'string':
      return machine.modelValues.get(data) ?? arena.string(data)
    case 'object':
      break
    default:
      return complain(`expected a value, found ${typeof data}`)
  }
  if (data === null) return complain('expected a value, found null: name a model value, as in "None"')
  const part = (item: unknown) => canonical(convert(machine, item, what, depth + 1))
  if (Array.isArray(data)) return arena.tuple(data.map(part))
  const keys = Object.keys(data)
  const form = keys.find((key) => key.startsWith('$'))
  if (form === undefined) {
    if (keys.length === 0) return arena.emptyTuple
    const shape = arena.shape(keys)
    return arena.record(
      shape,
      shape.names.map((name) => part((data as Record<string, unknown>)[name])),
    )
  }
  if (keys.length > 1) complain(`'${form}' must be the only key: remove '${keys.find((key) => key !== form)}'`)
  const inner = (data as Record<string, unknown>)[form]
  switch (form) {
    case '$set':
      if (!Array.isArray(inner)) return complain('$set must be an array of the elements')
      return arena.set(inner.map(part))
    case '$function':
      if (!Array.isArray(inner) || !inner.every((pair) => Array.isArray(pair) && pair.length === 2))
        return complain('$function must be an array of pairs, [argument, value]')
      return functionOf(
        machine,
        inner.map(([argument, value]) => [part(argument), part(value)] as const),
        what,
      )
    case '$string':
      if (typeof inner !== 'string') return complain('$string must be a string')
      return arena.string(inner)
    case '$tla':
      if (inner instanceof Filled) return inner.evaluate()
      if (typeof inner !== 'string') return complain('$tla must be the text of an expression')
      return expression(machine, inner, what)
    default:
      return complain(`unknown key '${form}': use $set, $function, $string or $tla`)
  }
}

function functionOf({ arena }: Machine, pairs: readonly (readonly [Canonical, Canonical])[], what: string): Canonical {
  const domain = arena.set(pairs.map(([argument]) => argument))
  if (domain.elements.length < pairs.length) throw new DataError(`${what}: $function names an argument twice`)
  const values = new Map(pairs)
  return arena.function(
    domain,
    domain.elements.map((argument) => values.get(argument)!),
  )
}

/** By machine and text: a trace repeats few expressions many times. */
const FORMULAS = new WeakMap<Machine, Map<string, ReturnType<Machine['formula']>>>()
const MAX_FORMULAS = 10_000

/** The formula of a text, compiled once. @throws TlaError */
export function formulaOf(machine: Machine, text: string, what: string): ReturnType<Machine['formula']> {
  let formulas = FORMULAS.get(machine)
  if (formulas === undefined || formulas.size >= MAX_FORMULAS) FORMULAS.set(machine, (formulas = new Map()))
  let formula = formulas.get(text)
  if (formula === undefined) formulas.set(text, (formula = machine.formula(text, what)))
  return formula
}

function expression(machine: Machine, text: string, what: string): Value {
  const formula = formulaOf(machine, text, what)
  try {
    return formula.evaluate()
  } catch (error) {
    throw error instanceof TlaError ? machine.locate(error, () => void formula.evaluate()) : error
  }
}
