/**
 * Expressions of a trace and its mapper, evaluated in a state: observations (`Len(log[s2])`), and
 * conditions on steps.
 */
import { TlaError } from '../error/error.ts'
import type { Machine, ParametrisedExpression, Refusal } from '../evaluate/machine.ts'
import type { Value } from '../values/value.ts'

export interface Expression {
  /** With the data of the entry filled in. */
  readonly text: string
  /** Whether it has primes, so that it needs the state after a step. */
  readonly isAboutStep: boolean
  /** In `machine.current`, and `machine.primed` if it is about a step. @throws TlaError */
  evaluate(parameters?: readonly Value[]): Value
  /** Why a condition is false, with the values of its operands. @throws TlaError */
  explain(parameters: readonly Value[]): Refusal | undefined
}

/** An expression with names in place of its values, so that it is compiled once for all values. */
export interface ExpressionTemplate {
  readonly text: string
  readonly names: readonly string[]
  readonly values: readonly Value[]
  /** The text with the values in it. */
  readonly filled: string
}

const COMPILED = new WeakMap<Machine, Map<string, ParametrisedExpression>>()
/** Bounds the cache: plain texts may differ from entry to entry. */
const MAX_COMPILED = 10_000

/** @param parameters names that `evaluate` takes values for. @throws TlaError */
export function expressionOf(
  machine: Machine,
  { text, names, values, filled }: ExpressionTemplate,
  parameters: readonly string[] = [],
): Expression {
  const compiled = readably(
    () => compiledOf(machine, text, [...parameters, ...names]),
    // Errors show the text with the data filled in.
    () => compiledOf(machine, filled, parameters),
  )
  return {
    text: filled,
    isAboutStep: compiled.isAboutStep,
    explain: (given) => compiledOf(machine, filled, parameters).explain(given),
    evaluate: (given = []) =>
      readably(
        () => compiled.evaluate([...given, ...values]),
        () => {
          const run = () => compiledOf(machine, filled, parameters).evaluate(given)
          try {
            return run()
          } catch (error) {
            throw error instanceof TlaError ? machine.locate(error, () => void run()) : error
          }
        },
      ),
  }
}

/** An expression without values in it. */
export function plainExpression(text: string): ExpressionTemplate {
  return { text, names: [], values: [], filled: text }
}

function readably<Result>(run: () => Result, again: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    return again()
  }
}

function compiledOf(machine: Machine, text: string, names: readonly string[]): ParametrisedExpression {
  let all = COMPILED.get(machine)
  if (all === undefined || all.size >= MAX_COMPILED) COMPILED.set(machine, (all = new Map()))
  const key = `${names.join()}:${text}`
  let compiled = all.get(key)
  if (compiled === undefined) all.set(key, (compiled = machine.expression(text, text, names)))
  return compiled
}
