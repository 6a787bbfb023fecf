import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { RequestRefused, Worker } from '../../src/process/worker.ts'
import { lines, NATURAL, random } from './workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-loading-'))
writeFileSync(join(folder, 'values.ts'), `export const values: string[] = ['one', 'two']\n`)
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

/** Lists what a file declares, and runs each property three times. */
async function load(source: string): Promise<Map<string, ExecutionResult[]>> {
  const file = join(folder, `file${++files}.fuzz.ts`)
  writeFileSync(file, `import { fuzz } from 'norn'\n${source}`)
  const worker = new Worker({ file, root: folder, aliases: [] })
  try {
    const results = new Map<string, ExecutionResult[]>()
    for (const property of await worker.list()) {
      const runs: ExecutionResult[] = []
      for (const plan of [NATURAL, random(1), random(2)]) runs.push((await worker.explain(property, plan)).result)
      results.set(property.name, runs)
    }
    return results
  } finally {
    worker.close()
  }
}

async function refusal(source: string): Promise<{ message: string; stack: string }> {
  const error = await load(source).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(RequestRefused)
  const { message, stack } = error as RequestRefused
  return { message, stack: stack! }
}

test.concurrent.each([
  ['a syntax error', 'const = 1\n', /Unexpected token/, /file\d+\.fuzz\.ts:2:7/],
  [
    'a missing module',
    `import './none.ts'\nfuzz('x', {}, () => {})\n`,
    /Cannot find module .*none\.ts/,
    /file\d+\.fuzz\.ts/,
  ],
  ['a missing export', `import { no } from './values.ts'\nno()\n`, /export named 'no'/, /file\d+\.fuzz\.ts:2:10/],
  [
    'an exception at the top',
    `throw new TypeError('at the top')\n`,
    /^TypeError: at the top$/m,
    /file\d+\.fuzz\.ts:2:7/,
  ],
  [
    'a late exception',
    `setTimeout(() => { throw new Error('late') })\nawait new Promise((ok) => setTimeout(ok, 9))\n`,
    /^Error: late$/m,
    /file\d+\.fuzz\.ts:2:/,
  ],
  [
    'a name that is there twice',
    `fuzz('a', {}, () => {})\nfuzz('a', {}, () => {})\n`,
    /duplicate property name: 'a'/,
    /file\d+\.fuzz\.ts:3:/,
  ],
  ['a top-level await that never settles', `await new Promise(() => {})\n`, /a top-level await never settled/, /./],
  ['an exit', `process.exit(1)\n`, /process\.exit\(1\)/, /file\d+\.fuzz\.ts:2:/],
  [
    'what is not controlled',
    `import os from 'node:os'\nos.setPriority(1)\n`,
    /uncontrolled: os\.setPriority/,
    /file\d+\.fuzz\.ts:3:/,
  ],
  ['no body', `fuzz('x', {}, 1 as never)\n`, /body must be a function/, /file\d+\.fuzz\.ts:2:/],
])('refused with the reason and the place: %s', async (_, source, message, place) => {
  const refused = await refusal(source)
  expect(refused.message).toMatch(message)
  expect(refused.stack).toMatch(place)
})

test.concurrent('properties declared in a loop, after a top-level await for timers and files', async () => {
  const results = await load(`
    import { readFile } from 'node:fs/promises'
    import { setTimeout as delay } from 'node:timers/promises'
    import { values } from './values.ts'
    await delay(1000)
    const text = await readFile(new URL(import.meta.url), 'utf8')
    await new Promise((resolve) => setImmediate(resolve))
    const atLoad = [Date.now(), Math.random(), text.length > 100]
    for (const value of values) {
      fuzz(\`value \${value}\`, {}, () => console.log(JSON.stringify([value, ...atLoad])))
    }
  `)
  expect([...results.keys()]).toEqual(['value one', 'value two'])
  for (const runs of results.values()) {
    expect(runs.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed'])
    // Loading is the same under every schedule.
    expect(new Set(runs.map((run) => lines(run)[0])).size).toBe(1)
  }
  const [first] = lines(results.get('value one')![0]!)
  expect(JSON.parse(first!)).toEqual(['one', 1767225601000, expect.any(Number), true])
})

test.concurrent('what fails to load only later is a finding of the kind loading', async () => {
  // The first evaluation is the listing; the clock and chance are the same in each, a file on the
  // disk is not.
  const file = join(folder, 'changing.fuzz.ts')
  writeFileSync(file, `import { fuzz } from 'norn'\nglobalThis\nfuzz('x', {}, () => {})\n`)
  const worker = new Worker({ file, root: folder, aliases: [] })
  try {
    const [property] = await worker.list()
    const gone = { ...property!, name: 'another' }
    const { verdict, failure } = await worker.execute(gone, NATURAL)
    expect([verdict, failure!.kind]).toEqual(['failed', 'loading'])
    expect(failure!.message).toMatch(/declares no property 'another'; it declares 'x'/)
  } finally {
    worker.close()
  }
})

test.concurrent('every way to a module leads to that of the execution', async () => {
  writeFileSync(join(folder, 'count.cjs'), 'exports.count = 0\n')
  const results = await load(`
    import { writeFileSync } from 'node:fs'
    import { createRequire } from 'node:module'
    import { count as imported } from './count.cjs'
    import * as counted from './count.cjs'
    fuzz('counts', {}, async () => {
      const require = createRequire(import.meta.url)
      const ways = [process.getBuiltinModule('module').createRequire(import.meta.url), process.getBuiltinModule('node:module').Module.createRequire(import.meta.url), require('module').createRequire(import.meta.url)]
      for (const way of ways) way('./count.cjs').count++
      writeFileSync(new URL('./written.mjs', import.meta.url), 'export const written = ' + require('./count.cjs').count)
      const { written } = await (0, eval)("import('./written.mjs')")
      console.log(JSON.stringify([imported, counted.default.count, written]))
    })
  `)
  const runs = results.get('counts')!
  expect(runs.map(lines)).toEqual([['[0,3,3]'], ['[0,3,3]'], ['[0,3,3]']])
})

test.concurrent('an import in a body fails there, and fuzz() in a body says what is wrong', async () => {
  const results = await load(`
    fuzz('imports', {}, () => import('./none.ts'))
    fuzz('declares', {}, () => fuzz('late', {}, () => {}))
  `)
  const [imports] = results.get('imports')!
  expect([imports!.failure!.kind, imports!.failure!.message]).toEqual([
    'error',
    expect.stringMatching(/Cannot find module/),
  ])
  const [declares] = results.get('declares')!
  expect(declares!.failure!.message).toMatch(/was called outside a property file/)
})
