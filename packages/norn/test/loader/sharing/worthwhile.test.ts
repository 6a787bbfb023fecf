import { describe, expect, test } from 'vitest'
import { worthwhileAt } from '../../../src/loader/sharing/worthwhile.ts'

/** Preparing takes 600 ms. */
const program = { bytes: 300_000, loadingMs: 10 }

describe('when it is worth while to prepare for sharing modules', () => {
  test('after so many executions as load as long, where nothing is known of those to come', () => {
    expect(worthwhileAt({ ...program, done: 3, ahead: 0 })).toBe(60)
    expect(worthwhileAt({ ...program, loadingMs: 1, done: 3, ahead: 0 })).toBe(600)
  })

  test('at once, where those to come take longer to load', () => {
    expect(worthwhileAt({ ...program, done: 20, ahead: 61 })).toBe(21)
  })

  test('but not while the code is cold, which loads slower than it will', () => {
    expect(worthwhileAt({ ...program, done: 3, ahead: 1000 })).toBe(16)
  })

  test('as if nothing were known, where those to come take less', () => {
    expect(worthwhileAt({ ...program, done: 3, ahead: 60 })).toBe(60)
    expect(worthwhileAt({ ...program, bytes: 3_000_000, done: 3, ahead: 100 })).toBe(240)
  })
})
