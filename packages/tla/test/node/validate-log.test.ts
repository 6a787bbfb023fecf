/** Validating from code: the verdict of `norn tla validate`, on entries that need no file. */
import { describe, expect, test } from 'vitest'
import { validateLog } from '../../src/node/index.ts'

const LOCK = new URL('../../../../examples/lock/Lock.tla', import.meta.url)
const ASK = { action: 'Ask', parameters: ['a'], state: { holder: 'Nobody' } }

describe('validateLog', () => {
  test('accepts a behaviour of a specification', () => {
    expect(validateLog(LOCK, [ASK, { action: 'Grant', state: { holder: 'a' } }])).toMatchObject({
      result: 'behaviour',
      line: undefined,
    })
  })

  test('names the entry that does not fit, with the conjunct and both values', () => {
    const { result, line, text } = validateLog(LOCK, [ASK, { action: 'Release', parameters: ['a'] }])
    expect([result, line]).toEqual(['divergence', 2])
    expect(text).toMatch(/^the log:2: .*Lock\.tla does not allow this entry/)
    expect(text).toContain('holder = c is false, where holder is Nobody, c is a')
  })

  test('reads lines of another form by a mapper', () => {
    const lines = [{ msg: 'asked', who: 'b' }]
    const mapper = ({ msg, who }: (typeof lines)[number]) => {
      if (msg !== 'asked') throw new Error(`unknown event ${msg}`)
      return { action: 'Ask', parameters: [who] }
    }
    expect(validateLog(LOCK, lines, { mapper }).result).toBe('behaviour')
    expect(() => validateLog(LOCK, [{ msg: 'slept', who: '' }], { mapper })).toThrow(
      'the log:1: the mapper threw for this line: Error: unknown event slept',
    )
    expect(() => validateLog(LOCK, [ASK], { silent: { actions: ['Asks'] } })).toThrow("no action 'Asks'")
  })

  test('says what is wrong with a call', () => {
    expect(() => validateLog(LOCK, [{ action: 'Aks' }])).toThrow("the log:1: the specification has no action 'Aks'")
    expect(() => validateLog(LOCK, [[]])).toThrow('the log:1: a line must be an object')
    expect(() => validateLog(LOCK, [ASK], { width: 0 })).toThrow('expected `width` to be a whole number from 1')
    expect(() => validateLog('./Nowhere.tla', [ASK])).toThrow('there is no file')
  })
})
