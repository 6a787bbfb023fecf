/** A call finds the same with a cache as without, and leaves none where it is turned off. */
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { project } from './project.ts'

const caches = realpathSync(mkdtempSync(join(tmpdir(), 'norn-caches-')))
const folder = join(caches, 'norn')
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(caches, { recursive: true, force: true })
})
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', caches)
  vi.stubEnv('NORN_CACHE', 'on')
  rmSync(folder, { recursive: true, force: true })
})

/** What two files are transformed to for sharing: with comparisons traced, and without. */
const SHARED_BUILDS = 4

const here = project({
  'race.fuzz.ts': `import { fuzz, fc } from 'norn'
import { Account, Kind } from './account.ts'
fuzz('keeps money', { amounts: fc.array(fc.nat(50)) }, async ({ amounts }) => {
  const account = new Account(Kind.Plain)
  await Promise.all(amounts.map((each) => account.add(each)))
  if (account.sum !== amounts.reduce((a, b) => a + b, 0)) throw new Error('lost')
})`,
  'account.ts': `import { setTimeout } from 'node:timers/promises'
export enum Kind { Plain, Odd }
export class Account {
  sum = 0
  constructor(readonly kind: Kind) {}
  async add(amount: number): Promise<void> {
    const before = this.sum
    if (amount === 42) await setTimeout(1)
    this.sum = before + amount
  }
}`,
})

const search = async (...more: string[]) => {
  const { status, stdout } = await here.call('fuzz', 'race.fuzz.ts', '--runs', '300', '--seed', '3', '--json', ...more)
  rmSync(join(here.root, '.norn'), { recursive: true, force: true })
  expect(status).toBe(1)
  return stdout.replace(/"(?:timeMs|saved|found|date)":[^,}]*/g, '')
}
const times = () => Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]))

it('is the same at the first start, at the second, and without', async () => {
  const first = await search()
  const kept = times()
  expect(Object.keys(kept).length).toBeGreaterThan(3)
  expect(await search()).toBe(first)
  // From when on modules are shared is decided by processor time: their builds may come at the second start only.
  const later = times()
  expect(later).toMatchObject(kept)
  expect(Object.keys(later).length).toBeLessThanOrEqual(Object.keys(kept).length + SHARED_BUILDS)
  expect(await search('--no-cache')).toBe(first)
})

it('is not kept if a flag or the variable says so', async () => {
  await search('--no-cache')
  vi.stubEnv('NORN_CACHE', 'off')
  await search()
  expect(existsSync(folder)).toBe(false)
})
