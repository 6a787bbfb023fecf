/** Specifications from text, for tests of evaluation. */
import { TlaError } from '../../src/error/error.ts'
import type { Machine } from '../../src/evaluate/machine.ts'
import { loadMachine } from '../../src/node/load.ts'
import { canonical } from '../../src/values/canonical.ts'
import { printValue } from '../../src/values/print.ts'

/** The machine of the first of some modules, with its configuration. */
export function machineOf(configuration: string, ...modules: readonly string[]): Machine {
  const files: Record<string, string> = {}
  for (const text of modules) files[`${/MODULE (\w+)/.exec(text)![1]}.tla`] = text
  const root = Object.keys(files)[0]!
  return loadMachine(root, { files: { ...files, 'M.cfg': configuration }, configuration: 'M.cfg' })
}

/** A module `M` with a variable `v` that is 0 and stays so. */
export function still(body: string): string {
  return `---- MODULE M ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLE v
${body}
Init == v = 0
Next == UNCHANGED v
====`
}

export const STILL = 'INIT Init NEXT Next'

/** The value of an expression in a machine, as TLC prints it; for an error its whole text. */
export function valueIn(machine: Machine, text: string): string {
  const formula = machine.formula(text, 'expression')
  return told(machine, () => printValue(canonical(formula.evaluate())))
}

/** What a function gives, or the error that it throws, with place and frames. */
export function told(machine: Machine, run: () => string): string {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    return machine.locate(error, run).describe()
  }
}

/** All successors of all initial states, printed. */
export function successors(machine: Machine): string[] {
  const initial: (typeof machine.current)[] = []
  machine.initial(() => initial.push([...machine.current]))
  const found: string[] = []
  for (const state of initial) {
    for (const [at, value] of state.entries()) machine.current[at] = value
    machine.next(() => found.push(machine.primed.map((value) => printValue(value!)).join(' ')))
  }
  return found
}

export function initialStates(machine: Machine): string[] {
  const found: string[] = []
  machine.initial(() => found.push(machine.current.map(printValue).join(' ')))
  return found
}
