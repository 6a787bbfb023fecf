import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { EVERYTHING } from '../../src/options/guide.ts'
import { Worker } from '../../src/process/worker.ts'

const file = resolve(import.meta.dirname, 'fixtures/searches.fuzz.ts')
const OPTIONS = { strategy: 'portfolio', runs: 2000, timeMs: 1e9, keepGoing: true, shrink: false, skip: 0, seed: 3 }

/** What the last of some searches in one process finds and keeps. */
async function searched(...names: string[]) {
  const root = mkdtempSync(join(tmpdir(), 'norn-searches-'))
  const worker = new Worker({ file, root: import.meta.dirname, aliases: [] })
  try {
    const properties = await worker.list()
    const failures: number[] = []
    let executions = 0
    for (const [at, name] of names.entries()) {
      const property = properties.find((each) => each.name === name)!
      const corpus = at === names.length - 1 ? { corpus: { root, norn: '0', code: '0' } } : {}
      const summary = await worker.explore(property, { ...OPTIONS, ...corpus, guide: EVERYTHING }, (event) => {
        if (event.type === 'found') failures.push(event.failure.foundAt)
      })
      executions = summary.executions
    }
    return { failures, executions, corpus: filesIn(root, `${worker.pid}`) }
  } finally {
    worker.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** The names of files below a folder, and what they hold, without the process that wrote them, which ends a text. */
function filesIn(folder: string, pid: string): (readonly [string, string])[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return paths
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, readFileSync(join(folder, path), 'utf8').replace(`-${pid}\\"`, '-PID\\"')] as const)
}

test('a guided search finds and keeps the same, whatever was searched before in its process', async () => {
  const alone = await searched('fails behind comparisons')
  expect(alone.failures).toHaveLength(1)
  expect(alone.corpus.length).toBeGreaterThan(2)
  expect(await searched('loads no more', 'fails behind comparisons')).toEqual(alone)
  expect(await searched('loads a module late', 'fails behind comparisons')).toEqual(alone)
})
