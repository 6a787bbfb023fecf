import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterEach, expect, test } from 'vitest'

const AFFINITY = new URL('../../src/watch/affinity.ts', import.meta.url)
/** Binds itself, tells that it has, and stays. */
const SCRIPT = `
  import { bindToOneProcessor } from '${AFFINITY}'
  bindToOneProcessor()
  console.log('bound')
  setInterval(() => {}, 1000)
`

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** The processors of a process that has bound itself. */
async function bound(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', SCRIPT])
  running.push(child)
  await once(child.stdout, 'data')
  return allowed(String(child.pid))
}

const allowed = (pid: string) => /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!

const isPossible = process.platform === 'linux' && availableParallelism() > 1

test.skipIf(!isPossible)('no two processes take the same processor, one after the other or at once', async () => {
  const everywhere = allowed('self')
  const taken = [await bound(), await bound(), ...(await Promise.all([bound(), bound()]))]
  // Those of other tests may be bound at the same time: what is then left stays as it was.
  const processors = taken.filter((each) => each !== everywhere)
  expect(processors.join()).toMatch(/^(\d+(,|$))*$/)
  expect(new Set(processors).size).toBe(processors.length)
  expect(processors.length).toBeLessThanOrEqual(availableParallelism())
})
