/** Fleets under what happens to machines and to Redis: no shard is lost, and none counts twice. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { saveReceived } from '../src/received-failure.ts'
import { isSkipped, parsed, project, RACE, SLOW, TestFleet, until } from './fleets.ts'

/** Four shards of thirty executions. */
const FOUR = ['--shards', '4', '--slice-runs', '30', '--slice', '10m', '--seed', '1']
const OF_RACE = [{ file: 'race.fuzz.ts', property: 'no update is lost' }]
const ALL = { phase: 'running', open: 0, quarantined: [], properties: [{ executions: 120, passed: 120, shards: 4 }] }

describe.skipIf(isSkipped)('a fleet', () => {
  it('finds a race, confirms it elsewhere, and shows it as norn replay does', async () => {
    await using fleet = await TestFleet.start({ 'race.fuzz.ts': RACE })
    fleet.work()
    fleet.work()
    const { status, stdout, stderr } = await fleet.here.norn(
      'fleet',
      'fuzz',
      ...fleet.flags,
      '--time',
      '20s',
      '--slice',
      '2s',
    )
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(stdout).toMatch(/✗ no update is lost\n(?: {2}\S.*\n)? {2}replayed exactly/)
    expect(stdout).toMatch(/✗ no update is lost: \d+ executions? in .* s, 1 distinct failure\n$/)
    expect(fleet.here.failures()).toHaveLength(1)
    const [name] = fleet.here.failures()
    expect((await fleet.status()).failures).toEqual([name!.replace(/^.*\//, '')])
  })

  it('counts each execution once, and leaves nothing behind', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    const workers = [fleet.work(), fleet.work(), fleet.work()]
    const { status, stdout } = await fleet.here.norn('fleet', 'fuzz', ...fleet.flags, ...FOUR, '--json')
    expect(status).toBe(0)
    expect(parsed(stdout).at(-1)).toMatchObject({ type: 'summary', executions: 120, passed: 120, shards: 4 })
    expect(await fleet.status()).toMatchObject(ALL)
    for (const worker of workers) await worker.end('SIGTERM')
    expect(readdirSync(join(fleet.here.root, '.norn', 'fleet'))).toEqual([])
  })

  it('gives the shard of a worker that is killed to another', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const first = fleet.work()
    await first.says(': takes its time')
    await first.end('SIGKILL')
    fleet.work()
    expect(await fleet.over()).toMatchObject(ALL)
  })

  it('gives the shard of a frozen worker to another, and does not count what that one brings later', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const frozen = fleet.work()
    await frozen.says(': takes its time')
    frozen.child.kill('SIGSTOP')
    fleet.work()
    expect(await fleet.over()).toMatchObject(ALL)
    frozen.child.kill('SIGCONT')
    await frozen.says('not counted: another worker had the shard')
    expect(await fleet.status()).toMatchObject(ALL)
  })

  it('takes a worker whose clock is a day ahead as any other', async () => {
    await using fleet = await TestFleet.start({
      'slow.fuzz.ts': SLOW,
      'clock.mjs': 'const { now } = Date; Date.now = () => now() + 86_400_000',
    })
    await fleet.declare(...FOUR)
    fleet.work({ NODE_OPTIONS: `--import=${join(fleet.here.root, 'clock.mjs')}` })
    fleet.work()
    expect(await fleet.over()).toMatchObject(ALL)
  })

  it('goes on when the process that declared it is killed', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    const declaring = fleet.watch(...FOUR.with(1, '20'))
    await declaring.says('campaign ')
    await declaring.end('SIGKILL')
    fleet.work()
    expect(await fleet.over()).toMatchObject({ properties: [{ executions: 600, shards: 20 }] })
  })

  it('keeps results on disk while Redis is gone, and delivers them when it is back', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const worker = fleet.work()
    await worker.says(': takes its time')
    await fleet.redis.kill()
    await worker.says('cannot reach the queue')
    await worker.says('is kept in .norn/fleet/outbox')
    expect(readdirSync(join(fleet.here.root, '.norn', 'fleet', 'outbox'))).toHaveLength(1)
    await fleet.redis.start()
    expect(await fleet.over()).toMatchObject(ALL)
    const left = () => readdirSync(join(fleet.here.root, '.norn', 'fleet', 'outbox'))
    await until(
      () => left().length === 0,
      () => `an empty outbox: ${left()}`,
    )
  })

  it('counts a shard once that runs again because Redis was slow', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const worker = fleet.work()
    await worker.says(': takes its time')
    // Longer than the lease, which cannot be renewed meanwhile.
    await fleet.redis.command('client', 'pause', '4000', 'all')
    expect(await fleet.over()).toMatchObject(ALL)
  })

  it('waits for a Redis that is full', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const worker = fleet.work()
    await worker.says(': takes its time')
    await fleet.redis.command('config', 'set', 'maxmemory', '1')
    await worker.says('is kept in .norn/fleet/outbox')
    await fleet.redis.command('config', 'set', 'maxmemory', '0')
    expect(await fleet.over()).toMatchObject(ALL)
  })

  it('goes on from what was seen last when Redis has lost its data', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    const first = fleet.work()
    const watching = fleet.watch(...FOUR.with(1, '20'))
    await watching.says('campaign ')
    const shards = async () => (await fleet.status()).properties?.[0].shards ?? 0
    await until(
      async () => (await shards()) > 0,
      () => `a shard; the worker said:\n${first.said()}`,
    )
    await first.end('SIGTERM')
    await fleet.roundsOfWatcher(2)
    await fleet.redis.command('flushall')
    await watching.says('the queue has lost the campaign: it goes on from what was seen last')
    // Nobody works: these are the shards from before.
    await until(
      async () => (await shards()) > 0,
      () => `what was seen; the watcher said:\n${watching.said()}`,
    )
    fleet.work()
    // The first worker may have ended amid a shard, and delivered what it had.
    await watching.says('✓ takes its time: ')
    expect(await fleet.status()).toMatchObject({ isOver: true, properties: [{ shards: 20 }] })
  })

  it('does not bring back a campaign that was removed while somebody watches it', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    const watching = fleet.watch(...FOUR)
    await watching.says('campaign ')
    await watching.says('waiting for a worker')
    await fleet.here.call('fleet', 'drain', '--forget', ...fleet.flags)
    await watching.says('the campaign was removed by norn fleet drain --forget')
    expect(await fleet.status()).toEqual({})
    const worker = fleet.work()
    expect((await fleet.here.norn('fleet', 'fuzz', ...FOUR, ...fleet.flags)).status).toBe(0)
    expect(worker.said()).not.toContain('not counted')
  })

  it('claims a property while it shrinks a failure of it', async () => {
    await using fleet = await TestFleet.start({ 'race.fuzz.ts': RACE })
    await fleet.redis.command('config', 'set', 'slowlog-log-slower-than', '0')
    await fleet.redis.command('config', 'set', 'slowlog-max-len', '100000')
    const finder = fleet.work()
    await fleet.declare('--shards', '1', '--slice', '10s', '--seed', '1')
    await finder.says('✗ no update is lost')
    expect(await fleet.redis.command('slowlog', 'get', '-1')).toMatch(/^set\nnorn:fleet:\w+:claim:0$/im)
  })

  it('does not search further while a worker shrinks what it has found, unless that one is gone', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const claim = `norn:fleet:${(await fleet.status()).campaign}:claim:0`
    await fleet.redis.command('set', claim, '1')
    const worker = fleet.work()
    await worker.says('waits, as another worker shrinks a failure')
    expect(worker.said()).not.toContain(': takes its time')
    await fleet.redis.command('del', claim)
    expect(await fleet.over()).toMatchObject(ALL)
  })

  it('gives up a shard that three workers did not survive, and says so', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    const one = ['--shards', '1', '--slice', '10m', '--seed', '1']
    await fleet.declare(...one)
    for (let kill = 0; kill < 3; kill++) {
      const worker = fleet.work()
      await worker.says(': takes its time')
      await worker.end('SIGKILL')
    }
    fleet.work()
    expect(await fleet.over()).toMatchObject({ open: 0, quarantined: [{ shard: { number: 1 } }] })
    const { status, stdout } = await fleet.here.norn('fleet', 'fuzz', ...fleet.flags, ...one)
    expect(stdout).toMatch(/✗ shard \w+-1 of takes its time was given up after three tries: job stalled/)
    expect(status).toBe(1)
  })

  it('counts what a worker has done when it is asked to end', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare('--shards', '1', '--slice', '10m', '--seed', '1')
    const worker = fleet.work()
    await worker.says(': takes its time')
    await worker.end('SIGTERM')
    const { isOver, properties } = await fleet.status()
    expect({ isOver, shards: properties[0].shards }).toEqual({ isOver: true, shards: 1 })
    expect(properties[0].executions).toBe(properties[0].passed)
  })

  it('lets another worker than the finder confirm a failure', async () => {
    await using fleet = await TestFleet.start({ 'race.fuzz.ts': RACE })
    const other = fleet.work()
    const isWaiting = async () => (await fleet.redis.command('client', 'list')).includes('name=norn:')
    await until(isWaiting, () => 'a worker that waits')
    other.child.kill('SIGSTOP')
    await fleet.declare('--shards', '1', '--slice', '10s', '--seed', '1')
    const finder = fleet.work()
    await finder.says('left to another worker')
    other.child.kill('SIGCONT')
    await other.says(': confirmed')
    expect(finder.said()).not.toContain(': confirmed')
  })

  it('tells failures of properties with like names apart', async () => {
    const both = `${RACE}fuzz('no update', {}, async () => {})\n`
    await using fleet = await TestFleet.start({ 'race.fuzz.ts': both })
    fleet.work()
    const { stdout } = await fleet.here.norn(
      'fleet',
      'fuzz',
      ...fleet.flags,
      '--shards',
      '4',
      '--slice',
      '1s',
      '--json',
    )
    const lines = parsed(stdout).filter(({ type }) => type === 'summary')
    const failures = lines.map(({ property, distinctFailures }) => [property, distinctFailures])
    expect(failures).toEqual([
      ['no update is lost', 1],
      ['no update', 0],
    ])
  })

  it('saves nothing from the queue that is no failure of its name', async () => {
    await using fleet = await TestFleet.start({ 'race.fuzz.ts': RACE })
    const flags = ['--shards', '2', '--slice', '10s', '--seed', '1']
    await fleet.declare(...flags)
    const { campaign } = await fleet.status()
    const key = `norn:fleet:${campaign}:failures`
    await fleet.redis.command('hset', key, '../../outside.json', '{}', 'bad-1.json', '{}')
    fleet.work()
    const { status, stdout } = await fleet.here.norn('fleet', 'fuzz', ...fleet.flags, ...flags)
    expect(status).toBe(1)
    expect(stdout).toContain('! the queue holds what is no failure: ')
    expect(fleet.here.failures()).toHaveLength(1)
    const [, file] = /failures\/(\S+)$/.exec(fleet.here.failures()[0]!)!
    const text = await fleet.redis.command('hget', key, file!)
    expect(() => saveReceived(fleet.here.root, 'no-update-is-lost-00000000.json', text, OF_RACE)).toThrow(
      'named after another',
    )
    expect(fleet.here.failures()).toHaveLength(1)
  })

  it('prints what the queue holds as lines that steer no terminal and no log', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const { campaign } = await fleet.status()
    const why = '\u001b[2J\u001b]0;title\u0007\n::error::\u202ewhy\u009b2J ##[error]x'
    const shard = { kind: 'search', campaign, number: 9, file: 'slow.fuzz.ts', property: why, timeMs: 1 }
    const key = `norn:fleet:${campaign}:quarantine`
    await fleet.redis.command('hset', key, 'q', JSON.stringify({ shard, why }), '\u001b[2J', 'garbage')
    await fleet.enqueue({ ...shard, number: 10, campaign: 'evil', property: 'takes its time' })
    const declared = JSON.parse(await fleet.redis.command('hget', 'norn:fleet:campaigns', campaign))
    const evil = JSON.stringify({ ...declared, id: 'evil', codeText: why })
    await fleet.redis.command('hset', 'norn:fleet:campaigns', 'evil', evil)
    await fleet.redis.command('hset', `norn:fleet:evil`, 'phase', 'running')
    const worker = fleet.work()
    await worker.says('not an open shard of the ledger: left out')
    const fuzz = await fleet.here.norn('fleet', 'fuzz', ...fleet.flags, ...FOUR)
    const json = await fleet.here.norn('fleet', 'status', ...fleet.flags, '--json')
    const status = await fleet.here.norn('fleet', 'status', ...fleet.flags)
    expect(fuzz.stdout).toContain('was given up after three tries: \\u001b[2J')
    expect(status.stdout).toMatch(/^evil \w+: \\u001b\[2J/m)
    expect(json.stdout).toContain('\\u202ewhy')
    for (const printed of [worker.said(), ...[fuzz, json, status].flatMap(({ stdout, stderr }) => [stdout, stderr])])
      expect(printed).toMatch(/^(?:(?!\s*::|.*##\[)[ -~✗✓]*\n)*$/)
  })

  it('says that a failure cannot be shown, and not that the queue is away', async () => {
    await using fleet = await TestFleet.start({ 'race.fuzz.ts': RACE })
    const flags = ['--shards', '1', '--slice', '10s', '--seed', '1']
    await fleet.declare(...flags)
    fleet.work()
    await fleet.over()
    const key = `norn:fleet:${(await fleet.status()).campaign}:failures`
    const saved = JSON.parse(await fleet.redis.command('hvals', key))
    const text = JSON.stringify({ ...saved, open: ['192.0.2.1:80'] })
    const save = () => saveReceived(fleet.here.root, 'x.json', text, OF_RACE)
    expect(() => saveReceived(fleet.here.root, 'x.json', text, [])).toThrow('not of the campaign')
    expect(save).toThrow('named after another')
    const [name] = /[\w-]+\.json$/.exec(messageOf(save))!
    await fleet.redis.command('hset', key, name, text)
    const { status, stdout } = await fleet.here.norn('fleet', 'fuzz', ...fleet.flags, ...flags)
    expect(stdout).toContain(`! .norn/failures/${name} cannot be shown: `)
    expect(stdout).not.toContain('the queue does not answer')
    expect(status).toBe(1)
  })

  it('leaves shards of other code to others, and says so', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    await fleet.declare(...FOUR)
    const other = project({ 'slow.fuzz.ts': `${SLOW}\n// changed` })
    const worker = fleet.work({}, other.root)
    await worker.says('not for this checkout')
    expect(await fleet.status()).toMatchObject({ open: 4, workers: 0 })
  })

  it('refuses what is no shard, and goes on', async () => {
    await using fleet = await TestFleet.start({ 'slow.fuzz.ts': SLOW })
    writeFileSync(join(fleet.here.root, '..', 'outside.fuzz.ts'), 'throw new Error()')
    await fleet.declare(...FOUR)
    const { campaign } = await fleet.status()
    const given = { kind: 'search', campaign, number: 9, property: 'takes its time', timeMs: 1 }
    await fleet.enqueue({ ...given, file: '../outside.fuzz.ts' })
    await fleet.enqueue({ ...given, file: 'slow.fuzz.ts' })
    await fleet.enqueue({ ...given, file: 'slow.fuzz.ts', number: 1 })
    await fleet.enqueue('a'.repeat(100_000))
    const worker = fleet.work()
    await worker.says('"file" is not a path inside the project')
    await worker.says('not an open shard of the ledger: left out')
    await worker.says('not the shard that the ledger has: left out')
    await worker.says('not an object')
    expect(await fleet.over()).toMatchObject(ALL)
  })
})

function messageOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it threw nothing')
}
