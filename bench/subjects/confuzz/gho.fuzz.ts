// GHO, after Ghost (ConFuzz)
//
// The race: a user is looked for, and added if there is none of that name. Two requests for one name at the same time
// both find none.
//
// Input: fewer than six names of five letters. Zero input: no names. Two equal names fail by default too;
// different ones in none.
import assert from 'node:assert/strict'
import { names } from './names.ts'
import { subject } from './subject.ts'

subject('GHO: a name is there once', {
  inputs: { names },
  example: { names: ['alice', 'carol'] },
  async body({ names }, { pause }) {
    const users: string[] = []
    const register = async (name: string) => {
      const found = users.some((user) => user === name)
      await pause()
      if (!found) users.push(name)
    }
    await Promise.all(names.map(register))
    for (const name of names) {
      const times = users.filter((user) => user === name).length
      assert.equal(times, 1, `${name} is there ${times} times`)
    }
  },
})
