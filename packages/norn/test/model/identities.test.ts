import { expect, test } from 'vitest'
import { CROWDED_OUT, Identities } from '../../src/model/identities.ts'

test('the hash of a state depends on nothing but the state: not on who came first, nor on the order of keys', () => {
  const [here, there] = [new Identities(), new Identities()]
  const state = { leader: 'a', terms: [1, { of: 'b', votes: 2 }] }
  there.of({ leader: 'b' }, 'a state')
  const first = here.of(state, 'a state')
  const second = there.of({ terms: [1, { votes: 2, of: 'b' }], leader: 'a' }, 'a state')
  expect(second).not.toBe(first)
  expect(there.hash(second)).toBe(here.hash(first))
})

test('it is the same in every process', () => {
  const identities = new Identities()
  expect(identities.hash(identities.of({ leader: 'a', term: 3 }, 'a state'))).toMatchInlineSnapshot(`528211168`)
})

test('different states have different hashes, as a rule', () => {
  const identities = new Identities()
  const hashes = Array.from({ length: 10_000 }, (_, at) => identities.hash(identities.of({ at }, 'a state')))
  // Of 2^32 hashes two of ten thousand states share one in one case of a hundred.
  expect(new Set(hashes).size).toBeGreaterThan(9_997)
})

test('states for which there was no room have no hash of their own', () => {
  const identities = new Identities(1)
  identities.of({ at: 1 }, 'a state')
  expect(identities.of({ at: 2 }, 'a state')).toBe(CROWDED_OUT)
  expect(identities.hash(CROWDED_OUT)).toBe(0)
})
