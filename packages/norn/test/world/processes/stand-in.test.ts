import { expect, test } from 'vitest'
import { Causality } from '../../../src/world/loop/causality.ts'
import { ASYNC, Descriptors } from '../../../src/world/loop/poll-descriptors.ts'
import { Side } from '../../../src/world/network/connection.ts'
import { BEGIN_US, Reaper } from '../../../src/world/processes/child.ts'
import type { Command } from '../../../src/world/processes/commands.ts'
import { StandIn } from '../../../src/world/processes/stand-in.ts'

/** Children that run one stand-in; everything takes `delayUs`. */
function world(command: Command, delayUs: number) {
  const causality = new Causality()
  const descriptors = new Descriptors()
  const log: string[] = []
  let now = 0
  const nowUs = () => now
  const announce = (_: string, __: string, point?: 'callback') => ({
    step: causality.child(),
    delayUs: point === undefined ? 0 : delayUs,
  })
  const refuse = (what: string): never => {
    throw new Error(what)
  }
  const host = { active: () => true, refuse, nowUs, announce, causality, descriptors }
  const reaper = new Reaper(causality.main)
  descriptors.watch(reaper)
  const spawn = (name: string) => {
    const [stdin, stdout] = ['stdin', 'stdout'].map((end) => {
      const [one, two] = [new Side(end, 'pipe', host), new Side(end, 'pipe', host)]
      Side.pair(one, two)
      return { parent: one, child: two }
    })
    const found = { name, command, args: [], inShell: false }
    const context = { env: {}, cwd: '/' }
    const spawned = { found, context, stdin: stdin!.child, stdout: stdout!.child, stderr: undefined, others: [] }
    const onExit = (code: number, signal: string) => log.push(`${name} exits ${code} ${signal}`)
    const child = new StandIn(host, reaper, { name, pid: 1, isDetached: false, onExit }, spawned)
    return { child, stdin: stdin!.parent, stdout: stdout!.parent }
  }
  const turn = () => {
    now = Math.max(now, descriptors.nextEventUs())
    descriptors.poll(now, Number.POSITIVE_INFINITY)
    for (let next = descriptors.take(now); next !== undefined; next = descriptors.take(now)) {
      if (next === ASYNC) continue
      log.push(`${next.kind} at ${now}`)
      next.run()
    }
  }
  const advanceTo = (us: number) => {
    now = us
  }
  return { spawn, turn, log, descriptors, now: nowUs, advanceTo }
}

test('a process begins, writes, closes its pipes and exits, in this order', () => {
  const { spawn, turn, log } = world(() => 'x', 100)
  const { stdout } = spawn('a')
  turn()
  expect(log).toEqual([`spawn at ${BEGIN_US + 100}`])
  turn()
  const { end } = stdout.inbound
  expect(stdout.inbound.readableUs).toBe(BEGIN_US + 200)
  expect(end!.atUs).toBe(BEGIN_US + 200)
  expect(log.slice(1)).toEqual([`exit at ${end!.atUs + 100}`, 'a exits 0 '])
})

test('one signal reaps all that have ended, in the order in which they were spawned', () => {
  const { spawn, turn, log } = world(() => '', 0)
  for (const name of ['a', 'b']) spawn(name)
  turn()
  turn()
  expect(log.slice(2)).toEqual([`exit at ${BEGIN_US}`, 'a exits 0 ', `exit at ${BEGIN_US}`, 'b exits 0 '])
})

test('the pipe of signals is served after all others of the phase, though it was ready first', () => {
  const { spawn, turn, log, advanceTo } = world(() => '', 0)
  spawn('a').child.signal('SIGTERM')
  spawn('b')
  advanceTo(BEGIN_US)
  turn()
  // The signal of one child reaps the other too, which has ended in the same phase.
  const at = `at ${BEGIN_US}`
  expect(log).toEqual([`spawn ${at}`, `exit ${at}`, 'a exits 0 SIGTERM', `exit ${at}`, 'b exits 0 '])
})

test('a stand-in that takes stdin waits for the end, or for nothing else to happen', () => {
  const seen: string[] = []
  const { spawn, turn, descriptors, now } = world((_, stdin) => void seen.push(stdin), 0)
  const { stdin } = spawn('a')
  spawn('b')
  stdin.send(Buffer.from('text'))
  turn()
  expect([seen, descriptors.nextEventUs(), descriptors.patient]).toEqual([[], Number.POSITIVE_INFINITY, true])
  expect(descriptors.rouse(now())).toBe(true)
  expect(descriptors.patient).toBe(false)
  turn()
  expect(seen).toEqual([''])
  stdin.end()
  turn()
  expect(seen).toEqual(['', 'text'])
})

test('a killed process does not write', () => {
  const { spawn, turn, log } = world(() => 'x', 0)
  const { child, stdout } = spawn('a')
  child.signal('SIGKILL')
  turn()
  expect(log).toEqual(['exit at 0', 'a exits 0 SIGKILL'])
  expect([stdout.inbound.size, child.keepsAlive()]).toEqual([0, false])
})

test('what a stand-in returns after a kill is lost', async () => {
  const { spawn, turn, log } = world(async () => 'x', 0)
  const { child, stdout } = spawn('a')
  turn()
  child.signal('SIGKILL')
  const exit = child.exit
  await new Promise((resolve) => setImmediate(resolve))
  turn()
  expect(log.slice(1)).toEqual([`exit at ${BEGIN_US}`, 'a exits 0 SIGKILL'])
  expect([stdout.inbound.size, child.exit]).toEqual([0, exit])
})

test('who ends later is reaped later', () => {
  const { spawn, turn, log, advanceTo } = world(() => '', 100)
  const [a, b] = ['a', 'b'].map((name) => spawn(name).child)
  a!.signal('SIGTERM')
  advanceTo(150)
  b!.signal('SIGTERM')
  turn()
  expect(log).toEqual(['exit at 200', 'a exits 0 SIGTERM'])
  turn()
  expect(log.slice(2)).toEqual(['exit at 350', 'b exits 0 SIGTERM'])
})
