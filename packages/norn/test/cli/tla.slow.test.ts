/** The commands of norn-tla, mounted under `norn tla`; packages/tla tests what they do. */
import { expect, test } from 'vitest'
import { parsed, project } from './project.ts'

const here = project({
  'Clock.tla':
    "---- MODULE Clock ----\nEXTENDS Naturals\nVARIABLE tick\nInit == tick = 0\nNext == tick' = 1 - tick\n====\n",
  'Clock.cfg': 'INIT Init\nNEXT Next\n',
})

test('norn tla check ends with the status of the command', async () => {
  const { status, stdout } = await here.norn('tla', 'check', 'Clock', '--json')
  expect(parsed(stdout).at(-1)).toMatchObject({ result: 'passed', distinct: 2, generated: 3 })
  expect(status).toBe(0)
})

test('a wrong call is reported with the name of norn, and as a line of JSON', async () => {
  const missing = await here.call('tla', 'check', 'Nowhere')
  expect(missing).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^norn: no such file: Nowhere\.tla in \/.+\n$/),
  })
  const wrong = await here.call('tla', 'follow', 'Clock', '--json', '--bogus', '--trace', 'run.ndjson')
  expect(parsed(wrong.stdout)).toEqual([{ type: 'end', result: 'refused', message: "unknown option '--bogus'" }])
  expect(wrong.status).toBe(2)
})
