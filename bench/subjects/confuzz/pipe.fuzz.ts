// The pipe, an example of ConFuzz
//
// The race: three characters are in a pipe; three tasks each read one, make it upper case and append it to a list. A
// read takes its character at once and gives it later, so the list has them in any order. It must not spell a word.
//
// Input: the three characters. Zero input: three equal ones, which spell nothing in any order.
import assert from 'node:assert/strict'
import { fc } from 'norn'
import { subject } from './subject.ts'

const WORD = 'BUG'

subject('pipe: the list spells no word', {
  inputs: { characters: fc.string({ minLength: 3, maxLength: 3 }) },
  example: { characters: 'abc' },
  async body({ characters }, { pause }) {
    const pipe = [...characters]
    const read = async () => {
      const character = pipe.shift()!
      await pause()
      return character
    }
    const list: string[] = []
    const task = async () => {
      const character = await read()
      list.push(character.toUpperCase())
    }
    await Promise.all([task(), task(), task()])
    assert.ok(list.join('') !== WORD, `the list spells ${WORD}`)
  },
})
