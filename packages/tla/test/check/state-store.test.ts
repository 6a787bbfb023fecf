import { describe, expect, it } from 'vitest'
import { NO_PARENT, NO_ROOM, StateStore } from '../../src/check/state-store.ts'

const row = (...words: number[]) => Int32Array.from(words)

describe('the states found so far', () => {
  it('numbers states in the order in which they are found, and knows them again', () => {
    const store = new StateStore({ width: 2 })
    expect(store.add(row(1, 2), 0, NO_PARENT)).toBe(0)
    expect(store.add(row(2, 1), 0, 0)).toBe(1)
    expect(store.add(row(1, 2), 0, 1)).toBe(-1)
    expect(store.add(row(2, 1), 0, 1)).toBe(-2)
    expect(store.size).toBe(2)
    expect([store.codeAt(1, 0), store.codeAt(1, 1), store.parentOf(1), store.parentOf(0)]).toEqual([2, 1, 0, NO_PARENT])
  })

  it('reads rows where they stand in a longer one', () => {
    const store = new StateStore({ width: 2 })
    expect(store.add(row(0, 0, 7, 8), 2, NO_PARENT)).toBe(0)
    expect(store.has(row(7, 8))).toBe(true)
    expect(store.has(row(0, 0))).toBe(false)
  })

  it('tells a hundred thousand states apart exactly, through growing tables and many chunks', () => {
    const store = new StateStore({ width: 3 })
    const states = 100_000
    // Negative codes and shared words: what differs is one word in three.
    const of = (number: number) => row(-2 * (number % 7), number >> 3, number & 7)
    for (let number = 0; number < states; number++) expect(store.add(of(number), 0, number - 1)).toBe(number)
    for (let number = 0; number < states; number += 997) {
      expect(store.add(of(number), 0, 0)).toBe(-1 - number)
      expect(store.parentOf(number)).toBe(number - 1)
      expect(store.codeAt(number, 1)).toBe(number >> 3)
    }
    expect(store.size).toBe(states)
  })

  it('tells states apart by their keys where they have some, and keeps the state that was found first', () => {
    const store = new StateStore({ width: 2, keyWidth: 1 })
    expect(store.add(row(1, 10), 0, NO_PARENT, row(5), 0)).toBe(0)
    expect(store.add(row(1, 20), 0, 0, row(5), 0)).toBe(-1)
    expect(store.add(row(1, 20), 0, 0, row(6), 0)).toBe(1)
    expect([store.codeAt(0, 1), store.codeAt(1, 1)]).toEqual([10, 20])
  })

  it('has no room past its bound, and still knows what it has', () => {
    const store = new StateStore({ width: 1, maxStates: 2 })
    store.add(row(1), 0, NO_PARENT)
    store.add(row(2), 0, NO_PARENT)
    expect(store.add(row(3), 0, NO_PARENT)).toBe(NO_ROOM)
    expect(store.add(row(2), 0, NO_PARENT)).toBe(-2)
    expect(store.size).toBe(2)
  })

  it('has no room past its bytes, be it for states or for the table', () => {
    for (const maxBytes of [100_000, 200_000, 400_000, 1_000_000]) {
      const store = new StateStore({ width: 1, maxBytes })
      let number = 0
      while (number < 200_000 && store.add(row(number), 0, NO_PARENT) !== NO_ROOM) number++
      expect(number).toBeLessThan(200_000)
      expect(store.size).toBe(number)
      expect(store.bytes).toBeLessThanOrEqual(maxBytes)
      if (number > 0) expect(store.add(row(number - 1), 0, NO_PARENT)).toBe(-number)
      expect(store.add(row(number), 0, NO_PARENT)).toBe(NO_ROOM)
    }
  })

  it('holds the one state of a specification without variables', () => {
    const store = new StateStore({ width: 0 })
    expect(store.add(row(), 0, NO_PARENT)).toBe(0)
    expect(store.add(row(), 0, NO_PARENT)).toBe(-1)
  })
})
