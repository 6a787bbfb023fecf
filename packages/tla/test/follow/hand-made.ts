/**
 * A machine whose actions are JavaScript functions: tests following and validation without
 * evaluation.
 */
import { TlaError } from '../../src/error/error.ts'
import type { Formula, Machine, Refusal } from '../../src/evaluate/machine.ts'
import { fromData } from '../../src/follow/from-data.ts'
import { Arena } from '../../src/values/arena.ts'
import { toPlain } from '../../src/values/plain.ts'
import type { Canonical } from '../../src/values/value.ts'

export type PlainState = Readonly<Record<string, unknown>>

export interface HandMade {
  readonly initial: readonly PlainState[]
  /** Where an action leads, or the conjunct that is false with what it compares. */
  readonly actions: Readonly<
    Record<
      string,
      {
        readonly parameters: readonly string[]
        readonly step: (state: PlainState, ...given: never[]) => readonly PlainState[] | string
      }
    >
  >
  readonly modelValues?: readonly string[]
  readonly invariants?: Readonly<Record<string, (state: PlainState) => boolean>>
  readonly view?: (state: PlainState) => unknown
}

const AT = { source: { path: 'Hand.tla', text: '' }, line: 1, column: 1, endLine: 1, endColumn: 1 }

export function handMade(made: HandMade): Machine {
  const arena = new Arena()
  const variables = Object.keys(made.initial[0]!)
  const current: Canonical[] = []
  const primed: (Canonical | undefined)[] = []
  const modelValues = new Map((made.modelValues ?? []).map((name) => [name, arena.modelValue(name)]))
  const plain = () => Object.fromEntries(variables.map((name, at) => [name, toPlain(current[at]!)]))
  const fill = (values: (Canonical | undefined)[], state: PlainState) => {
    for (const [at, name] of variables.entries()) values[at] = fromData(machine, state[name], name) as Canonical
  }
  const formula = (name: string, of: (state: PlainState) => unknown): Formula => ({
    name,
    at: AT,
    evaluate: () => fromData(machine, of(plain()), name),
    holds: () => of(plain()) === true,
    explain: () => ({ conjunct: `body of ${name}`, at: AT, values: [] }),
    reads: () => undefined,
  })
  const refused = (conjunct: string): Refusal => ({ conjunct, at: AT, values: [] })
  const machine: Machine = {
    arena,
    variables,
    current,
    primed,
    modelValues,
    parts: [],
    relation: undefined,
    files: [],
    warnings: [],
    actionNames: Object.keys(made.actions),
    invariants: Object.entries(made.invariants ?? {}).map(([name, of]) => formula(name, of)),
    view: made.view && formula('View', made.view),
    initial(visit: () => void) {
      for (const state of made.initial) {
        fill(current, state)
        visit()
      }
    },
    action(name: string) {
      if (!Object.hasOwn(made.actions, name)) return undefined
      const { parameters, step } = made.actions[name]!
      const run = (given: readonly unknown[]) =>
        step(plain(), ...(given.map((value) => toPlain(value as never)) as never[]))
      return {
        name,
        parameters,
        at: AT,
        step(given: readonly unknown[], visit: () => void) {
          const led = run(given)
          if (typeof led === 'string') return
          for (const state of led) {
            fill(primed, state)
            visit()
          }
        },
        explain(given: readonly unknown[], accepts?: (variable: number, value: Canonical) => boolean) {
          const led = run(given)
          if (typeof led === 'string') return refused(led)
          for (const state of led) {
            fill(primed, state)
            const at = variables.findIndex((_, variable) => accepts?.(variable, primed[variable]!) === false)
            if (at < 0) return undefined
            if (at >= 0) return refused(`${variables[at]}' = …`)
          }
          return undefined
        },
      }
    },
    formula(text: string) {
      if (!variables.includes(text)) throw new TlaError('semantics', `unknown operator ${text}`)
      return formula(text, (state) => state[text])
    },
    expression(text: string) {
      const { evaluate } = machine.formula(text, text)
      return { isAboutStep: false, evaluate: () => evaluate() }
    },
    locate: (error: TlaError) => error,
    renewed: () => handMade(made),
  } as unknown as Machine
  return machine
}
