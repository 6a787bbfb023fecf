import { expect, test } from 'vitest'
import { type Operation, timelineText } from '../../src/index.ts'

const operation = (process: number, call: number, end: number): Operation => {
  const outcome = end === Number.POSITIVE_INFINITY ? 'unknown' : 'ok'
  return { process, input: `${process}${call}`, output: undefined, outcome, call, return: end }
}

test('keeps the order of calls and returns; what never returned stays open', () => {
  const operations = [
    operation(0, 0, 5),
    operation(1, 1, Number.POSITIVE_INFINITY),
    operation(2, 2, 4),
    operation(2, 6, 7),
  ]
  expect(timelineText(operations, ({ input }) => `op ${input}`)).toEqual([
    'process 0  ├─ op 00 ──────────┤',
    'process 1     ├─ op 11 ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌',
    'process 2        ├─ op 22 ─┤     ├─ op 26 ─┤',
  ])
})

test('operations whose times touch overlap', () => {
  const lines = timelineText([operation(0, 0, 1), operation(1, 1, 1)], () => 'x')
  expect(lines).toEqual(['process 0  ├─ x ─┤', 'process 1     ├─ x ─┤'])
})

test('nothing is shown that does not fit', () => {
  expect(timelineText([operation(0, 0, 1)], () => 'x', 10)).toEqual([])
})
