import { describe, expect, it } from 'vitest'
import { OperationClasses } from '../../src/linearizability/operation-classes.ts'

describe('classes of operations', () => {
  it('are of operations that take and return the same', () => {
    const classes = new OperationClasses(() => {})
    const once = classes.of({ f: 'write', value: [1, { a: 2 }] }, null, true)
    expect(classes.of({ f: 'write', key: undefined, value: [1, { a: 2 }] }, null, true)).toBe(once)
    expect(classes.of('pop', Number.NaN, true)).toBe(classes.of('pop', Number.NaN, true))
  })

  it('tell different inputs and outputs apart', () => {
    const operations: (readonly [input: unknown, output: unknown, isKnown: boolean])[] = [
      [{}, undefined, false],
      [{}, undefined, true],
      [undefined, undefined, true],
      [{ f: 'read' }, null, true],
      [{ f: 'read' }, null, false],
      [{ f: 'read' }, undefined, true],
      [{ f: 'read' }, 1, true],
      [{ f: 'read' }, '1', true],
      [{ f: 'read' }, 1n, true],
      [{ f: 'read' }, [1], true],
      [{ f: 'read' }, '[1]', true],
      [['f', 'read'], 1, true],
      ['f', 1, true],
      [{ f: 'cas', from: 1, to: 2 }, true, true],
      [{ f: 'cas', from: 2, to: 1 }, true, true],
      [{ f: { to: 1 } }, true, true],
      [new Map([['to', 1]]), true, true],
    ]
    const classes = new OperationClasses(() => {})
    const numbers = operations.map(([input, output, isKnown]) => classes.of(input, output, isKnown))
    expect(new Set(numbers).size).toBe(operations.length)
  })

  it('count the memory of what is new', () => {
    let bytes = 0
    const classes = new OperationClasses((more) => {
      bytes += more
    })
    classes.of({ f: 'write', value: 'x'.repeat(10_000) }, null, true)
    const first = bytes
    expect(first).toBeGreaterThan(20_000)
    classes.of({ f: 'write', value: 'x'.repeat(10_000) }, null, true)
    expect(bytes).toBe(first)
  })
})
