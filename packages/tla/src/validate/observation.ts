/**
 * The observations of a trace entry: the logged data of a variable, a part of one (`commit[s2]`,
 * `log[s1][3].term`) or an expression over the state (`Len(log[s2])`).
 */
import { TlaError } from '../error/error.ts'
import { didYouMean } from '../error/nearest.ts'
import type { Machine } from '../evaluate/machine.ts'
import { formulaOf } from '../follow/from-data.ts'
import { canonical } from '../values/canonical.ts'
import type { Canonical } from '../values/value.ts'
import { enter, type Values } from './evaluation.ts'
import { type Expression, expressionOf, plainExpression } from './expression.ts'
import { agrees, mismatches, partOf, stepText } from './match.ts'

/** One observation. */
export interface Observed {
  /** As the trace names it: `commit[s2]`, `Len(log[s2])`. */
  readonly what: string
  /** Index of the variable; undefined for an expression. */
  readonly variable: number | undefined
  /** The path to the part of the variable. */
  readonly path: readonly string[]
  /** Undefined for a variable and its parts. */
  readonly expression: Expression | undefined
  readonly seen: unknown
}

/** Where a state and an observation differ. */
export interface Difference {
  /** `commit[s2]`, with a prime after the variable if it is about the state after a step. */
  readonly what: string
  readonly variable: number | undefined
  /** The specification's value, printed; undefined if it has none there. */
  readonly specification: string | undefined
  readonly log: string
}

const PART = /^([A-Za-z_]\w*)((?:\[[^[\]]*\]|\.\w+)*)$/
const STEP = /\[([^[\]]*)\]|\.(\w+)/g

/**
 * @param data by variable, part of a variable or expression
 * @throws Error for a name that is neither; TlaError of an expression
 */
export function observed(machine: Machine, data: Readonly<Record<string, unknown>>): readonly Observed[] {
  return Object.entries(data).map(([what, seen]) => observedAt(machine, what, seen))
}

function observedAt(machine: Machine, what: string, seen: unknown): Observed {
  const part = PART.exec(what)
  const variable = part === null ? -1 : machine.variables.indexOf(part[1]!)
  if (variable >= 0) {
    const path = Array.from(part![2]!.matchAll(STEP), ([, argument, field]) => (argument ?? field)!.trim())
    return { what, variable, path, expression: undefined, seen }
  }
  try {
    return { what, variable: undefined, path: [], expression: expressionOf(machine, plainExpression(what)), seen }
  } catch (error) {
    if (!(error instanceof TlaError) || part === null) throw error
    const near = didYouMean(part[1]!, machine.variables)
    throw new Error(`'${what}' is not a variable${near === '' ? `: known are ${machine.variables.join(', ')}` : near}`)
  }
}

/**
 * Where a state differs from observations. @param isAfter whether the state follows a step, so that
 * variables are reported with a prime
 */
export function differences(
  machine: Machine,
  state: Values,
  seen: readonly Observed[],
  isAfter: boolean,
): readonly Difference[] {
  return seen.flatMap((one) => differencesOf(machine, state, one, isAfter))
}

/** Whether a state matches all observations. */
export function isAsSeen(machine: Machine, state: Values, seen: readonly Observed[]): boolean {
  return seen.every((one) => isSeen(machine, state, one))
}

/** A test of whether a variable's value matches the observations of it. */
export function accepts(machine: Machine, seen: readonly Observed[]) {
  return (variable: number, value: Canonical): boolean =>
    seen.every((one) => one.variable !== variable || isPartSeen(machine, value, one))
}

/**
 * Indices of the variables behind the observations that a state does not match: the variable
 * itself, or those that an expression reads. Of the latter only those that changed, if any did.
 */
export function variablesSeenOtherwise(
  machine: Machine,
  before: Values,
  state: Values,
  seen: readonly Observed[],
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const one of seen) {
    if (isSeen(machine, state, one)) continue
    if (one.variable !== undefined) found.add(one.variable)
    else {
      const reads = readBy(machine, one)
      const changed = reads.filter((variable) => before.elements[variable] !== state.elements[variable])
      for (const variable of changed.length > 0 ? changed : reads) found.add(variable)
    }
  }
  return found
}

function readBy(machine: Machine, { what }: Observed): readonly number[] {
  try {
    return formulaOf(machine, what, what).reads() ?? []
  } catch (error) {
    // With log data filled in, the text may not be an expression of the specification.
    if (error instanceof TlaError) return []
    throw error
  }
}

function isSeen(machine: Machine, state: Values, one: Observed): boolean {
  if (one.variable !== undefined) return isPartSeen(machine, state.elements[one.variable]!, one)
  enter(machine, state)
  return agrees(machine, canonical(one.expression!.evaluate()), one.seen)
}

function isPartSeen(machine: Machine, whole: Canonical, { path, seen }: Observed): boolean {
  let value: Canonical | undefined = whole
  for (const step of path) {
    value = partOf(value, step)
    if (value === undefined) return false
  }
  return agrees(machine, value, seen)
}

function differencesOf(machine: Machine, state: Values, one: Observed, isAfter: boolean): readonly Difference[] {
  const prime = isAfter ? "'" : ''
  if (one.variable !== undefined) {
    return partsThatDiffer(machine, state.elements[one.variable]!, one, `${machine.variables[one.variable]}${prime}`)
  }
  enter(machine, state)
  const value = canonical(one.expression!.evaluate())
  return mismatches(machine, value, one.seen).map(({ path, specification, log }) => ({
    what: /^\w+(\(.*\))?$/.test(one.what) ? one.what + prime + path : `(${one.what})${prime}${path}`,
    variable: undefined,
    specification,
    log,
  }))
}

function partsThatDiffer(
  machine: Machine,
  whole: Canonical,
  { variable, path, seen }: Observed,
  name: string,
): readonly Difference[] {
  let value: Canonical = whole
  let way = name
  for (const step of path) {
    way += stepText(value, step)
    const part = partOf(value, step)
    if (part === undefined) {
      return [{ what: way, variable, specification: undefined, log: JSON.stringify(seen) ?? String(seen) }]
    }
    value = part
  }
  return mismatches(machine, value, seen).map((found) => ({
    what: way + found.path,
    variable,
    specification: found.specification,
    log: found.log,
  }))
}

/** `specification 6, log 7`. */
export function differenceText({ what, specification, log }: Difference, cut: (text: string) => string): string {
  return specification === undefined
    ? `${what}: the specification has nothing there, log ${cut(log)}`
    : `${what}: specification ${cut(specification)}, log ${cut(log)}`
}
