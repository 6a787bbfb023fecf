// async: appended side by side, records of two parts each are mixed up.
import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import async from 'async'
import { planted } from './planted.ts'

planted('async: records stay whole', async ({ isFixed }) => {
  await writeFile('log', '')
  await async.eachLimit(['a', 'b'], isFixed ? 1 : 2, async (name: string) => {
    await appendFile('log', `<${name}`)
    await appendFile('log', `${name}>`)
  })
  assert.match(await readFile('log', 'utf8'), /^(<aa><bb>|<bb><aa>)$/)
})
