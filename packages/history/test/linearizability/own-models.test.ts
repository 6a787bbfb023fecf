/** Models of the user's own, right and wrong. */
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/history/operation.ts'
import { checkLinearizable, LinearizabilityMonitor, type ObjectModel, States } from '../../src/index.ts'

function oneByOne(steps: readonly (readonly [input: unknown, output?: unknown])[]): { operations: Operation[] } {
  const operations = steps.map(
    ([input, output], at): Operation => ({
      process: at,
      input,
      output,
      outcome: 'ok',
      call: 2 * at,
      return: 2 * at + 1,
    }),
  )
  return { operations }
}

/** A seat plan: the first to book a seat has it. */
const seats: ObjectModel<{ takenBy: string | undefined }, { seat: number; guest: string }, boolean> = {
  name: 'seats',
  init: () => ({ takenBy: undefined }),
  step({ takenBy }, { guest }, isBooked, isKnown) {
    const next = { takenBy: takenBy ?? guest }
    return !isKnown || isBooked === (next.takenBy === guest) ? next : undefined
  },
  partition: ({ seat }) => seat,
}

describe('a model of the own', () => {
  it('has states of plain data, and independent objects', () => {
    const book = (seat: number, guest: string, isBooked: boolean) => [{ seat, guest }, isBooked] as const
    const legal = oneByOne([book(1, 'a', true), book(2, 'b', true), book(1, 'b', false)])
    expect(checkLinearizable(legal, seats as ObjectModel)).toEqual({ verdict: 'ok', linearizations: [[0, 2], [1]] })
    const twice = oneByOne([book(1, 'a', true), book(2, 'b', true), book(1, 'b', true)])
    const result = checkLinearizable(twice, seats as ObjectModel)
    expect(result).toMatchObject({ verdict: 'illegal', partition: 1, window: { operations: [0, 2] } })
    expect(result.verdict === 'illegal' && result.explanation).toContain('{"guest":"b","seat":1} = true by process 2')
  })

  it('may lead to one of several states', () => {
    const die: ObjectModel<number, 'roll' | 'show', number> = {
      name: 'die',
      init: () => 1,
      step(face, input, shown) {
        if (input === 'roll') return new States([1, 2, 3, 4, 5, 6])
        return shown === face ? face : undefined
      },
    }
    const shows = (...faces: number[]) => oneByOne([['roll'], ...faces.map((face) => ['show', face] as const)])
    expect(checkLinearizable(shows(5, 5), die as ObjectModel).verdict).toBe('ok')
    expect(checkLinearizable(shows(5, 4), die as ObjectModel).verdict).toBe('illegal')
  })

  it('says what makes states equal, if they are no plain data', () => {
    class Money {
      readonly cents: number
      constructor(cents: number) {
        this.cents = cents
      }
    }
    const account: ObjectModel = {
      name: 'account',
      init: () => new Money(0),
      step: (state, input) => new Money((state as Money).cents + (input as number)),
      key: (state) => (state as Money).cents,
    }
    expect(checkLinearizable(oneByOne([[1], [2]]), account).verdict).toBe('ok')
    const { key: _, ...withoutKey } = account
    expect(() => checkLinearizable(oneByOne([[1], [2]]), withoutKey)).toThrow(
      'model account: step of 1 = undefined returns a Money: states must be plain data, or the model must have key',
    )
  })
})

describe('a wrong model is refused in words', () => {
  const right: ObjectModel = { name: 'm', init: () => [], step: (state) => state }
  it.each<readonly [wrong: object | undefined, message: string]>([
    [undefined, 'a model must be an object with init and step, found undefined'],
    [{ ...right, init: undefined }, 'model m: init must be a function, found undefined'],
    [{ ...right, step: 3 }, 'model m: step must be a function, found number'],
    [{ ...right, partition: 'key' }, 'model m: partition must be a function, found string'],
    [{ ...right, name: undefined }, 'a model without a name: give it a name, which messages use'],
    [
      { ...right, step: (state: string[]) => state.at(-1)!.length },
      'model m: step of "x" = 1 throws in the state []: Cannot read properties of undefined (reading \'length\')',
    ],
    [
      { ...right, step: (state: unknown[], input: unknown) => (state.push(input) > 0 ? state : undefined) },
      'model m: step of "x" = 1 changes the state [] in place: return another value, and leave it as it is',
    ],
    [
      { ...right, step: async () => 1 },
      'model m: step of "x" = 1 returns a Promise: states must be plain data, without await',
    ],
    [{ ...right, step: () => () => 1 }, 'model m: step of "x" = 1 returns a function: states must be plain data'],
    [{ ...right, isRead: () => true, step: () => 2 }, 'model m: isRead is true of "x", which changes the state'],
  ])('%#: %j', (wrong, message) => {
    expect(() => checkLinearizable(oneByOne([['x', 1]]), wrong as ObjectModel)).toThrow(message)
    const monitor = () => {
      const monitored = new LinearizabilityMonitor(wrong as ObjectModel)
      monitored.call(1, 1, 'x')
      monitored.return(1, 1)
    }
    expect(monitor).toThrow(message)
  })
})
