// PB, after Porybox (ConFuzz)
//
// The race: a request reads the counter of its name, and writes it back with one added. Of two requests for one name at
// the same time one is lost.
//
// Input: up to five names of five letters. Zero input: no names. Two equal names fail by default too;
// different ones in none.
import assert from 'node:assert/strict'
import { names } from './names.ts'
import { subject } from './subject.ts'

subject('PB: every request is counted', {
  inputs: { names },
  example: { names: ['alice', 'carol'] },
  async body({ names }, { pause }) {
    const counters = new Map<string, number>()
    const request = async (name: string) => {
      const count = counters.get(name) ?? 0
      await pause()
      counters.set(name, count + 1)
    }
    await Promise.all(names.map(request))
    let sum = 0
    for (const count of counters.values()) sum += count
    assert.equal(sum, names.length, `${names.length} requests, ${sum} counted`)
  },
})
