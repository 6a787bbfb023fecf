/** `norn fuzz --watch`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { project, start } from './project.ts'

const property = (limit: number) => `import { fc, fuzz } from 'norn'
fuzz('is small', { n: fc.nat(100) }, ({ n }) => {
  if (n > ${limit}) throw new Error('too large')
})
`

it('searches again when a file changes, the saved failures first, until a signal ends it', async () => {
  const here = project({ 'a.fuzz.ts': property(5) })
  mkdirSync(join(here.root, 'node_modules/x'), { recursive: true })
  const args = ['fuzz', '--watch', '--runs', '50', '--seed', '1', '--junit', 'norn.xml']
  const child = start(here.root, args)
  let [stdout, stderr] = ['', '']
  child.stdout!.on('data', (text) => {
    stdout += text
  })
  child.stderr!.on('data', (text) => {
    stderr += text
  })
  const closed = new Promise<number | null>((done) => child.on('close', done))
  /** Waits until so many rounds are over. */
  const rounds = async (count: number) => {
    while (stderr.split('watching for changes').length <= count) await sleep(20)
  }
  await rounds(1)
  expect(stdout).toContain('✗ is small')
  here.write('node_modules/x/index.js', '')
  here.write('.hidden', '')
  here.write('a.fuzz.ts', property(100))
  await rounds(2)
  expect(stderr).toContain('a.fuzz.ts has changed')
  expect(stdout).toMatch(/✓ is small: the failure saved in \S+ no longer fails[\s\S]*✓ is small: 50 executions/)
  child.kill('SIGINT')
  expect(await closed).toBe(0)
  expect(stderr.split('has changed')).toHaveLength(2)
})
