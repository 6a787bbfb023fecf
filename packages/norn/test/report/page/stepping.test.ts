/** Stepping through an execution: which rows are shown, where steps lead, and what the state is there. */
import { describe, expect, it } from 'vitest'
import { layoutOf, type Scale } from '../../../src/report/diagram/layout.ts'
import {
  beside,
  firstRow,
  hasRoutine,
  notable,
  placeOf,
  shownRows,
  stateAt,
  stepped,
} from '../../../src/report/page/browser/stepping.ts'
import type { Execution, Step } from '../../../src/report/page/data.ts'

function execution(rows: readonly Partial<Step>[], parts: Partial<Execution> = {}): Execution {
  const filled = rows.map((row, index) => ({ mark: 'effect' as const, lane: 0, text: `${index}`, ...row }))
  return { columns: 'chains', parties: [], lanes: [{}], rows: filled, leftOut: 0, groups: [], ...parts }
}

describe('the rows', () => {
  const told = execution([{}, { routine: true }, { routine: true, departs: true }, {}, { isFailure: true }])

  it('routine is shown on demand, but for steps that depart', () => {
    expect(shownRows(told, false)).toEqual([0, 2, 3, 4])
    expect(shownRows(told, true)).toEqual([0, 1, 2, 3, 4])
    expect([hasRoutine(told), hasRoutine(execution([{}]))]).toEqual([true, false])
  })

  it('steps lead from shown row to shown row, and stop at both ends', () => {
    const shown = shownRows(told, false)
    expect([stepped(shown, 0, 1), stepped(shown, 2, -1), stepped(shown, 4, 1), stepped(shown, 0, -1)]).toEqual([
      2, 0, 4, 0,
    ])
    expect([stepped(shown, 2, Number.POSITIVE_INFINITY), stepped(shown, 2, Number.NEGATIVE_INFINITY)]).toEqual([4, 0])
    expect(stepped([], 0, 1)).toBe(0)
  })

  it('a row that is not shown stands at the one before it', () => {
    const shown = shownRows(told, false)
    expect([0, 1, 2, 3, 4].map((row) => placeOf(shown, row))).toEqual([0, 0, 1, 2, 3])
  })

  it('what is notable is found in both directions', () => {
    expect([notable(told, 0, 1), notable(told, 2, 1), notable(told, 4, 1), notable(told, 4, -1)]).toEqual([2, 4, 4, 2])
  })

  it('a reader begins where executions part, at a departure, or at the end', () => {
    expect([firstRow(told, 3), firstRow(told), firstRow(execution([{}, {}])), firstRow(execution([]))]).toEqual([
      3, 2, 1, 0,
    ])
  })

  it('the passing execution stands beside it, as far as it goes', () => {
    const other = execution([{}, {}, {}])
    expect([0, 2, 9].map((row) => beside(row, [2, 1], other))).toEqual([0, 1, 2])
  })
})

describe('the state', () => {
  const groups = [{ title: 'Messages', isNamed: true }]
  const rows = execution(
    [
      { changes: [[0, '#0', 'a']] },
      { changes: [[0, '#1', 'b']] },
      { changes: [[0, '#0']] },
      { changes: [[0, '#1', 'c']] },
    ],
    { groups },
  )

  it('is what the steps so far have made it', () => {
    expect(stateAt(rows, 1)).toEqual([
      {
        ...groups[0],
        entries: [
          { name: '#0', value: 'a', isNew: false, before: undefined },
          { name: '#1', value: 'b', isNew: true, before: undefined },
        ],
        gone: [],
      },
    ])
  })

  it('shows what the step removed, and what a value was before', () => {
    expect(stateAt(rows, 2)[0]!.gone).toEqual([{ name: '#0', value: 'a', isNew: false }])
    expect(stateAt(rows, 3)[0]!.entries).toEqual([{ name: '#1', value: 'c', isNew: true, before: 'b' }])
  })
})

describe('the columns', () => {
  const node = { min: 26, least: 56, max: 112, all: 252 }
  const scale: Scale = { left: 0, edge: 14, character: 8, node, mostNodes: 24 }
  const layout = (drawn: Execution) => layoutOf(drawn, drawn.rows, scale)

  it('of chains follow from the rows that are shown', () => {
    const { heads, lives, at } = layout(execution([{ lane: 2 }, { lane: 0 }, { lane: 2 }]))
    expect(heads.map(({ name }) => name)).toEqual(['A', 'B'])
    expect(at(2)).toBeLessThan(at(0))
    expect(lives.map(({ first, last }) => [first, last])).toEqual([
      [0, 2],
      [1, 1],
    ])
  })

  it('of nodes break while the node is down', () => {
    const nodes = { columns: 'nodes', parties: ['a', 'b'], lanes: [{ party: 0 }, { party: 1 }] } as const
    const rows = [{}, { lane: 1, mark: 'crash' }, {}, { lane: 1, mark: 'restart' }, {}] as const
    const { lives } = layout(execution(rows, nodes))
    expect(lives.map(({ first, last }) => [first, last])).toEqual([
      [-1, 5],
      [-1, 1],
      [3, 5],
    ])
  })

  it('of parties put the strands of one beside each other', () => {
    const lanes = [{ party: 0 }, { party: 1 }, { party: 0, after: 0 }]
    const parties = { columns: 'parties', parties: ['client', ':3000'], lanes } as const
    const rows = [{}, { lane: 1, arrow: { from: 0 } }, { lane: 2 }, { lane: 0, arrow: { from: 1 } }]
    const { heads, at, width } = layout(execution(rows, parties))
    expect(heads.map(({ name }) => name)).toEqual(['client', ':3000'])
    expect(at(0)).toBeLessThan(at(2))
    expect(at(2)).toBeLessThan(at(1))
    expect(at(1)).toBeLessThan(width)
  })
})
