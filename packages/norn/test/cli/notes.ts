/**
 * A program with one race: what `save` writes is not waited for, so a reader may come before it.
 *
 * The race needs one thing to be late: the opening of the file by the writer, by more than the 5 ms
 * that the property sleeps.
 */
export const notes = {
  'notes.ts': `import { readFile, writeFile } from 'node:fs/promises'

export function save(text: string): unknown {
  writeFile('notes.txt', text)
  return undefined
}

export async function load(): Promise<string> {
  return readFile('notes.txt', 'utf8')
}
`,
  'notes.fuzz.ts': `import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { load, save } from './notes.ts'

fuzz('notes are kept', { texts: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }, async ({ texts }) => {
  for (const text of texts) {
    await save(text)
    await sleep(5)
    assert.equal(await load(), text)
  }
})
`,
}
