import { readFileSync, rmSync } from 'node:fs'
import { builtinModules, createRequire, isBuiltin } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGE, page } from '../../../../scripts/write-builtins.ts'
import { reasonKey, whatOf } from '../../src/contract/inconclusive.ts'
import { BUILTINS, builtinOf, GLOBALS, isRefused } from '../../src/world/builtins.ts'
import { KINDS, type Kind, namesOf } from '../../src/world/realm/builtin.ts'
import { PROBED, probes } from './fixtures/probes.ts'
import { Fixture, random } from './workers.ts'

const require = createRequire(import.meta.url)

/**
 * Modules that only exist with their scheme are not among those that Node lists in every version.
 */
const SCHEMED = ['sqlite', 'test', 'test/reporters', 'sea', 'ffi', 'quic', 'vfs', 'zip', 'webstorage', 'stream/iter']
const modules = [
  ...new Set(
    [...builtinModules, ...SCHEMED.filter((name) => isBuiltin(`node:${name}`))].map((name) =>
      name.replace(/^node:/, ''),
    ),
  ),
].filter((name) => !name.startsWith('internal/'))

/** Names under which uncontrolled functions are reported, where those are not their own. */
const COMES_DOWN_TO: Record<string, RegExp> = {
  child_process: /^child process/,
  cluster: /^child process/,
  inspector: /^inspector/,
  'inspector/promises': /^inspector/,
  perf_hooks: /^(perf_hooks\.|PerformanceObserver)/,
  sqlite: /^node:sqlite/,
  test: /^node:test/,
  tls: /^tls\./,
  trace_events: /^trace_events/,
  wasi: /^node:wasi/,
  worker_threads: /^(moveMessagePortToContext|postMessageToThread)/,
}

/** What a process has that was forked, as this one may be: under the world there is none of it. */
const OF_THE_CHANNEL = new Set(['process.send', 'process._send', 'process.disconnect', 'process._disconnect'])

/** Functions and classes of a module. */
function functionsOf(name: string): string[] {
  const exports = require(`node:${name}`) as Record<string, unknown>
  const inherited = Object.getPrototypeOf(exports) as object | null
  return Object.keys(exports).filter(
    (key) =>
      typeof exports[key] === 'function' &&
      !OF_THE_CHANNEL.has(`${name}.${key}`) &&
      // What is there only because somebody wrapped what is inherited.
      !(name === 'process' && inherited !== null && key in inherited),
  )
}

/** What the table lists and this Node has. */
function listed(kind: Kind): { module: string; name: string }[] {
  const globals = namesOf(GLOBALS, kind).map((name) => ({ module: 'globals', name }))
  const has = (path: string) =>
    path
      .split('.')
      .reduce<unknown>((at, key) => (key === 'timeStamp' ? true : Reflect.get(Object(at), key)), globalThis)
  const named = Object.entries(BUILTINS).flatMap(([module, builtin]) => {
    if (!modules.includes(module)) return []
    const exports = require(`node:${module}`) as Record<string, unknown>
    return namesOf(builtin, kind)
      .filter((name) => typeof exports[name] === 'function')
      .map((name) => ({ module, name }))
  })
  return [...globals.filter(({ name }) => !/Storage$/.test(name) && has(name) !== undefined), ...named]
}

let fixtures: [Fixture, Fixture]
beforeAll(async () => {
  for (const end of ['sqlite', 'heapsnapshot', 'json']) rmSync(`/tmp/norn-escape.${end}`, { force: true })
  fixtures = [await Fixture.open('builtins'), await Fixture.open('builtins')]
})
afterAll(() => {
  for (const fixture of fixtures) fixture.close()
})

test('every builtin module of this Node is in the table', () => {
  expect(modules.filter((name) => builtinOf(name) === undefined)).toEqual([])
})

test('every function of a module that has names in the table is named there, once', () => {
  const wrong: string[] = []
  for (const [module, builtin] of Object.entries(BUILTINS)) {
    if (builtin.is !== undefined || !modules.includes(module)) continue
    const names = KINDS.flatMap((kind) => namesOf(builtin, kind))
    for (const name of functionsOf(module)) if (!names.includes(name)) wrong.push(`${module}.${name} is missing`)
    for (const name of names)
      if (names.indexOf(name) !== names.lastIndexOf(name)) wrong.push(`${module}.${name} is there twice`)
  }
  expect(wrong).toEqual([])
})

test('the page is what the table says', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(page())
})

test('everything that is not plain has a probe, and every probe probes something', () => {
  const keys = (list: readonly { module: string; name: string }[]) =>
    list.map(({ module, name }) => `${module}.${name}`)
  const wanted = keys(PROBED.flatMap(listed))
  expect(wanted.filter((name) => !keys(probes).includes(name))).toEqual([])
  const all = [...Object.entries(BUILTINS), ['globals', GLOBALS] as const].flatMap(([module, builtin]) =>
    PROBED.flatMap((kind) => namesOf(builtin, kind).map((name) => `${module}.${name}`)),
  )
  expect(keys(probes).filter((name) => !all.includes(name))).toEqual([])
})

test('a controlled function passes, and answers the same in another process', async () => {
  const wrong: unknown[] = []
  for (const { module, name } of listed('controlled')) {
    const found = await compared(`${module} ${name}`)
    const { verdict, failure, output } = found.results[0]
    // A program that is told to end has ended.
    const ended = /^(exit|abort|reallyExit)$/.test(name) && ['exit', 'abort'].includes(failure?.kind ?? '')
    const same = found.sameTraces && output === found.results[1].output
    if ((verdict !== 'passed' && !ended) || !same || isError(output)) wrong.push({ module, name, ...found })
  }
  expect(wrong).toEqual([])
})

test('a gated function passes, at the same virtual times in another process', async () => {
  const wrong: unknown[] = []
  for (const { module, name } of listed('gated')) {
    const found = await compared(`${module} ${name}`)
    const { verdict, output } = found.results[0]
    if (verdict !== 'passed' || !found.sameTraces || isError(output)) wrong.push({ module, name, ...found })
  }
  expect(wrong).toEqual([])
})

/** A probe in two processes, under a schedule by chance. */
async function compared(property: string) {
  const results = await Promise.all(fixtures.map((each) => each.run(property, random(1))))
  const [first, second] = results.map(({ verdict, failure, voided, output, traceHash }) => ({
    ...{ verdict, failure, voided, output, traceHash },
  }))
  return { results: [first!, second!] as const, sameTraces: first!.traceHash === second!.traceHash }
}

/** What a probe printed instead of an answer. */
function isError(output = ''): boolean {
  return /^\w*Error/.test(output)
}

test('an uncontrolled function is reported by its name, or by the name of the operation below it', async () => {
  const wrong: unknown[] = []
  for (const { module, name } of listed('uncontrolled')) {
    const { verdict, voided, output } = await fixtures[0].run(`${module} ${name}`)
    const what = voided === undefined ? '' : whatOf(voided.reason)
    const expected = COMES_DOWN_TO[module]?.test(what) || what.includes(name.replace(/^.*\./, ''))
    if (verdict === 'void' && expected) continue
    wrong.push({ module, name, verdict, what, output })
  }
  expect(wrong).toEqual([])
})

test('a plain function can be called', async () => {
  const wrong: unknown[] = []
  for (const name of fixtures[0].names.filter((each) => each.startsWith('plain '))) {
    const { verdict, voided } = await fixtures[0].run(name)
    if (verdict === 'void') wrong.push({ name, what: whatOf(voided!.reason) })
  }
  expect(wrong).toEqual([])
})

test('an uncontrolled or unlisted module is rejected, however a program imports it', async () => {
  const wrong: unknown[] = []
  const ways = fixtures[0].names.filter((name) => name.startsWith('refused '))
  for (const name of ways) {
    const { verdict, voided } = await fixtures[0].run(name)
    const reason = { kind: 'uncontrolled operation', operation: 'node:repl' } as const
    if (verdict !== 'void' || reasonKey(voided!.reason) !== reasonKey(reason)) wrong.push({ name, verdict, voided })
  }
  expect(wrong).toEqual([])
  expect(ways.length).toBe(4)
  expect([
    isRefused('of-a-later-node'),
    isRefused('node:repl'),
    isRefused('node:fs'),
    isRefused('_http_agent'),
  ]).toEqual([...[true, true, false, false]])
})
