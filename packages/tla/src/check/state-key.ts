/**
 * The key that identifies a state under VIEW or SYMMETRY: the value of the view, or the least of
 * the symmetric states (Ip and Dill, "Better verification through symmetry", 1996).
 *
 * With both, the key is the view of the least state, as in TLC. States are ordered by the codes of
 * their values: any order works, as long as symmetric states have the same least one.
 */
import type { Machine } from '../evaluate/machine.ts'
import type { Arena } from '../values/arena.ts'
import { canonical } from '../values/canonical.ts'

export interface StateKey {
  /** Number of words. */
  readonly width: number
  /**
   * Writes the key of the state at `offset` of `row` to the beginning of `into`. With a VIEW,
   * changes `current` of the machine.
   *
   * @throws TlaError
   */
  write(row: Int32Array, offset: number, into: Int32Array): void
}

/** Undefined without VIEW and SYMMETRY: the state is its own key. */
export function stateKey(machine: Machine): StateKey | undefined {
  const { view, symmetries, variables } = machine
  const least = symmetries.length === 0 ? copy(variables.length) : leastOf(machine)
  if (view === undefined) return symmetries.length === 0 ? undefined : { width: variables.length, write: least }
  const state = new Int32Array(variables.length)
  return {
    width: 1,
    write(row, offset, into) {
      least(row, offset, state)
      for (let variable = 0; variable < state.length; variable++) {
        machine.current[variable] = machine.arena.decode(state[variable]!)
      }
      into[0] = machine.arena.code(canonical(view.evaluate()))
    },
  }
}

function copy(width: number): StateKey['write'] {
  return (row, offset, into) => {
    for (let index = 0; index < width; index++) into[index] = row[offset + index]!
  }
}

/**
 * The variables in the order of comparison: any order works that is the same for all states. Sets
 * come last, and variables that are empty in the first state (a bag of messages, say): permuting
 * them costs most, and another variable often decides first.
 */
function inTurn(arena: Arena, row: Int32Array, offset: number, width: number): readonly number[] {
  const indexes = Array.from({ length: width }, (_, index) => index)
  const isLast = indexes.map((index) => {
    const value = arena.decode(row[offset + index]!)
    return value === arena.emptyTuple || (typeof value === 'object' && value.kind === 'set')
  })
  return [...indexes.filter((index) => !isLast[index]), ...indexes.filter((index) => isLast[index])]
}

function leastOf({ arena, symmetries, variables }: Machine): StateKey['write'] {
  const width = variables.length
  const candidate = new Int32Array(width)
  let variablesInTurn: readonly number[] | undefined
  return (row, offset, into) => {
    variablesInTurn ??= inTurn(arena, row, offset, width)
    for (let index = 0; index < width; index++) into[index] = row[offset + index]!
    for (const permuter of symmetries) {
      // Decided by the first word that differs; if the candidate is greater, skip the rest.
      let order = 0
      for (let turn = 0; turn < width && order <= 0; turn++) {
        const index = variablesInTurn[turn]!
        candidate[index] = permuter.ofCode(row[offset + index]!)
        if (order === 0) order = candidate[index]! < into[index]! ? -1 : candidate[index]! > into[index]! ? 1 : 0
      }
      if (order < 0) into.set(candidate)
    }
  }
}
