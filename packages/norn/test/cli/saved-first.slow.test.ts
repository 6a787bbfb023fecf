/** Failures saved earlier are tried before anything new is searched for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { notes } from './notes.ts'
import { parsed, project } from './project.ts'

const hunt = ['fuzz', 'notes.fuzz.ts', '--seed', '7']

it('one that still fails is the finding, at once, and says where it comes from', async () => {
  const here = project(notes)
  await here.call(...hunt, '--runs', '60')
  const [saved] = here.failures()
  const again = await here.call(...hunt, '--runs', '1')
  expect(again.stdout).toMatch(/^✗ notes are kept\n {2}Read .*\n {2}saved in \.norn\/failures\/.*; replayed exactly\n/)
  expect(again.stdout).toMatch('smallest input')
  expect(again.stdout).toMatch(`replay ${saved}`)
  expect(again.stdout).not.toMatch('executions in')
  expect(again.status).toBe(1)
  const json = await here.call(...hunt, '--runs', '1', '--json')
  expect(parsed(json.stdout)).toMatchObject([
    { type: 'failure', savedEarlier: true, exact: true, saved, verdict: 'failed' },
    { type: 'end', status: 1 },
  ])
})

it('one that passes now is told of in a line, and the search goes on', async () => {
  const here = project(notes)
  await here.call(...hunt, '--runs', '60')
  here.edit('notes.ts', "writeFile('notes.txt', text)\n  return undefined", "return writeFile('notes.txt', text)")
  const [saved] = here.failures()
  const { status, stdout } = await here.call(...hunt, '--runs', '5')
  expect(stdout).toMatch(`✓ notes are kept: the failure saved in ${saved} no longer fails\n`)
  expect(stdout).toMatch(/✓ notes are kept: 5 executions/)
  expect(here.failures()).toEqual([saved])
  expect(status).toBe(0)
})

it('with --keep-going the search goes on behind it; with --no-saved nothing is tried first', async () => {
  const here = project(notes)
  await here.call(...hunt, '--runs', '60')
  const on = await here.call(...hunt, '--runs', '2', '--keep-going')
  expect(on.stdout).toMatch(/saved in [\s\S]*notes are kept: 2 executions/)
  expect(on.status).toBe(1)
  const off = await here.call(...hunt, '--runs', '1', '--no-saved')
  expect(off.stdout).not.toMatch('saved in')
  expect(off.status).toBe(0)
})

it('a damaged file is told of, and takes nothing with it', async () => {
  const here = project(notes)
  await here.call(...hunt, '--runs', '60')
  const [saved] = here.failures()
  writeFileSync(join(here.root, saved!), '{"format"')
  const { status, stdout } = await here.call(...hunt, '--runs', '1')
  expect(stdout).toMatch(/! .*\.json: not JSON, or truncated/)
  expect(stdout).toMatch(/✓ notes are kept: 1 execution/)
  expect(status).toBe(0)
})

it('a failure that cannot be saved is told of all the same', async () => {
  const here = project(notes)
  writeFileSync(join(here.root, '.norn'), '')
  const { status, stdout } = await here.call(...hunt, '--runs', '60')
  expect(stdout).toMatch(/! cannot read the saved failures in \.norn\/failures: not a directory \(ENOTDIR\)/)
  expect(stdout.match(/cannot save the failure in \.norn\/failures: not a directory \(ENOTDIR\)/g)?.length).toBe(1)
  expect(stdout).toMatch(/✗ notes are kept[\s\S]*smallest input/)
  expect(stdout).toMatch(/--seed \d+ --runs \d+ .*# search again without the file/)
  expect(status).toBe(1)
})
