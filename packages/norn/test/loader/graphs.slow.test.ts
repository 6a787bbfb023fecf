/**
 * Random module graphs, with cycles, top-level await, failures and dynamic imports, run in the
 * order stock Node gives.
 *
 * Each module logs when its body starts and, after an await, when it goes on; the entry imports
 * several of them one after another and logs how each came out. The graphs come from a fixed seed,
 * so the test may not miss by chance. (Of 3000 graphs, one with both failures and awaits made V8
 * itself abort, in Module::Evaluate; the first 600 do not.)
 */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILDS, type Files, folder, loaderOf, run, runNatively } from './programs.ts'

const GRAPHS = 150

/** Numbers from 0 to below `bound`: a linear congruential generator, enough to vary a shape. */
function dice(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

function graph(seed: number): Files {
  const roll = dice(seed * 7919 + 1)
  const size = 2 + roll(6)
  const awaits = roll(3) > 0
  const fails = roll(3) === 0
  const files: Record<string, string> = { 'log.mjs': 'export const log = []' }
  for (let n = 0; n < size; n++) {
    const lines = [`import { log } from './log.mjs'`]
    for (let edges = roll(4); edges > 0; edges--) {
      const to = roll(size)
      lines.push(
        roll(5) === 0 ? `export * from './${to}.mjs'` : `import { f${to} as g${lines.length} } from './${to}.mjs'`,
      )
    }
    lines.push(`export function f${n}() { return ${n} }`, `export const v${n} = ${n}`, `log.push('${n} starts')`)
    for (let ticks = awaits && roll(3) === 0 ? 1 + roll(3) : 0; ticks > 0; ticks--)
      lines.push(`await 0; log.push('${n} goes on')`)
    if (fails && roll(4) === 0) lines.push(`throw '${n} fails'`)
    files[`${n}.mjs`] = lines.join('\n')
  }
  const asked = Array.from({ length: 1 + roll(4) }, () => roll(size))
  files['main.mjs'] = `import { log } from './log.mjs'
    for (const n of ${JSON.stringify(asked)}) {
      try { const ns = await import('./' + n + '.mjs'); log.push(n + ' has ' + Object.keys(ns)) } catch (e) { log.push(n + ' threw ' + e) }
    }
    export default log`
  return files
}

const seeds = Array.from({ length: GRAPHS }, (_, seed) => seed)
let paths: string[] = []
let expected: string[] = []

beforeAll(() => {
  paths = seeds.map((seed) => join(folder(graph(seed)), 'main.mjs'))
  expected = runNatively(paths)
})

describe('random graphs', () => {
  test.each(seeds)('%i', async (seed) => {
    for (const build of BUILDS) {
      expect(await run(paths[seed]!, loaderOf(build), build)).toEqual(JSON.parse(expected[seed]!))
    }
  })
})
