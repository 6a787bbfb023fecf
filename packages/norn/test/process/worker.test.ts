/**
 * The owner's side of a worker process, over a process that is a script, under a clock that the test
 * moves. A process without an id counts as asleep, which has six times its limit.
 */
import type { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FlightRecorder } from '../../src/process/flight-recorder.ts'
import type { ChildConfiguration, Reply, Request } from '../../src/process/protocol.ts'
import { RequestRefused, Worker, WorkerLost } from '../../src/process/worker.ts'
import { TemporaryFilesError } from '../../src/storage/files.ts'
import { LOOK_MS } from '../../src/watch/hang-watch.ts'
import { OPTIONS, PLAN, PROPERTY, RESULT } from '../session/scripted.ts'

class FakeChild extends EventEmitter {
  readonly pid = undefined
  readonly stdout = Object.assign(new EventEmitter(), { unref() {} })
  readonly stderr = Object.assign(new EventEmitter(), { unref() {} })
  readonly channel = { unref() {} }
  connected = true
  configuration: ChildConfiguration | undefined
  readonly requests: Request[] = []
  readonly signals: string[] = []

  send(message: Request | { configuration: ChildConfiguration }): boolean {
    if ('configuration' in message) this.configuration = message.configuration
    else this.requests.push(message)
    return true
  }

  unref(): void {}

  kill(signal: string): boolean {
    this.signals.push(signal)
    return true
  }

  /** Ends the process, by the signal that it was last sent unless set. */
  end(code: number | null = null): void {
    this.emit('close', code, code === null ? this.signals.at(-1) : null)
  }

  reply(reply: Reply): void {
    this.emit('message', reply)
  }
}

const workers: Worker[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  for (const worker of workers.splice(0)) worker.close()
})

function started() {
  const child = new FakeChild()
  const worker = new Worker({
    ...{ file: '/here/a.fuzz.ts', root: '/here', aliases: [], hangMs: 1000 },
    fork: (() => child) as unknown as typeof fork,
  })
  workers.push(worker)
  const recorder = new FlightRecorder(child.configuration!.flightRecorder)
  const begins = (sequence: number) => recorder.record({ sequence, execution: sequence, plan: PLAN })
  return { worker, child, begins }
}

const wait = (ms: number) => vi.advanceTimersByTime(ms)

const executed: Reply = { type: 'executed', result: RESULT }

test('the process works at the root, in the surroundings asked for, wherever its owner is', () => {
  const calls: Parameters<typeof fork>[] = []
  const fake = ((...call: Parameters<typeof fork>) => {
    calls.push(call)
    return new FakeChild()
  }) as unknown as typeof fork
  const surroundings = { TZ: 'Asia/Tokyo', LC_ALL: 'ja_JP.UTF-8' }
  workers.push(new Worker({ file: '/here/a.fuzz.ts', root: '/here', aliases: [], surroundings, fork: fake }))
  const [[, , options]] = calls as [[unknown, unknown, { cwd: string; env: NodeJS.ProcessEnv }]]
  expect(options.cwd).toBe('/here')
  expect(options.env).toMatchObject({ ...surroundings, NODE_ENV: undefined, PATH: process.env.PATH })
})

describe('a request', () => {
  test('is sent to the process, whose reply answers it, and leaves no watch behind', async () => {
    const { worker, child } = started()
    const listing = worker.list()
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    child.reply({ type: 'listed', properties: [PROPERTY] })
    expect(await listing).toEqual([PROPERTY])
    expect([child.requests, vi.getTimerCount()]).toEqual([[{ type: 'list' }], 0])
  })

  test('hands on the events that come before its reply', async () => {
    const { worker, child } = started()
    const events: unknown[] = []
    const exploring = worker.explore(PROPERTY, OPTIONS, (event) => events.push(event))
    const remark = { type: 'remark', text: 'so far so good' } as const
    child.emit('message', remark)
    child.reply({ type: 'explored', summary: {} as never })
    await exploring
    child.emit('message', remark)
    expect(events).toEqual([remark])
  })

  test('that is refused rejects with the reason', async () => {
    const { worker, child } = started()
    const listing = worker.list()
    child.reply({ type: 'refused', why: 'loading', message: 'no such module', stack: '' })
    await expect(listing).rejects.toThrow(RequestRefused)
    await expect(listing).rejects.toMatchObject({ why: 'loading', message: 'no such module' })
  })

  test('that temporary files refuse rejects with their reason', async () => {
    const { worker, child } = started()
    const executing = worker.execute(PROPERTY, PLAN)
    child.reply({ type: 'refused', why: 'temporary files', message: 'no room', stack: '' })
    await expect(executing).rejects.toThrow(TemporaryFilesError)
  })

  test('is refused while another is under way, which it leaves alone', async () => {
    const { worker, child } = started()
    const first = worker.execute(PROPERTY, PLAN)
    await expect(worker.list()).rejects.toThrow('one request at a time')
    child.reply(executed)
    expect(await first).toEqual(RESULT)
  })

  test('is asked to stop only while it is under way', () => {
    const { worker, child } = started()
    worker.stop()
    worker.list().catch(() => {})
    worker.stop()
    expect(child.requests).toEqual([{ type: 'list' }, { type: 'stop' }])
  })
})

describe('a process is lost', () => {
  test('if an execution takes too long: it is killed, and the execution is known', async () => {
    const { worker, child, begins } = started()
    const lost = worker.execute(PROPERTY, PLAN)
    begins(1)
    wait(6000)
    expect(child.signals).toEqual([])
    wait(2 * LOOK_MS)
    expect(child.signals).toEqual(['SIGKILL'])
    child.end()
    await expect(lost).rejects.toMatchObject({ how: 'hang', flight: { sequence: 1, plan: PLAN } })
    await expect(lost).rejects.toThrow(
      /^one execution (?:took|exceeded|used) .*1 s of processor time, or 6 times as long asleep/,
    )
    expect(worker.ended).toBe(true)
    await expect(worker.list()).rejects.toBeInstanceOf(WorkerLost)
  })

  test('not if one execution follows another', async () => {
    const { worker, child, begins } = started()
    const running = worker.execute(PROPERTY, PLAN)
    for (let sequence = 1; sequence < 10; sequence++) {
      begins(sequence)
      wait(5000)
    }
    child.reply(executed)
    await running
    expect(child.signals).toEqual([])
  })

  test('if its file takes too long to load, without an execution to blame', async () => {
    const { worker, child } = started()
    const lost = worker.list()
    wait(181_000)
    child.end()
    await expect(lost).rejects.toMatchObject({ how: 'hang', flight: undefined })
    await expect(lost).rejects.toThrow('the file of properties took too long to load')
  })

  test('if it dies, with its last words', async () => {
    const { worker, child, begins } = started()
    const lost = worker.execute(PROPERTY, PLAN)
    begins(3)
    child.stderr.emit('data', Buffer.from('Segmentation fault\n'))
    child.end(139)
    await expect(lost).rejects.toMatchObject({ how: 'crash', flight: { sequence: 3 } })
    await expect(lost).rejects.toThrow('the process died (exit status 139)\nSegmentation fault')
  })

  test('for lack of memory, where V8 says so', async () => {
    const { worker, child } = started()
    const lost = worker.list()
    child.stderr.emit('data', Buffer.from('FATAL ERROR: Reached heap limit Allocation failed'))
    child.end(134)
    await expect(lost).rejects.toMatchObject({ how: 'out of memory' })
  })

  test('and an execution of an earlier request is not to blame', async () => {
    const { worker, child, begins } = started()
    const first = worker.execute(PROPERTY, PLAN)
    begins(1)
    child.reply(executed)
    await first
    const lost = worker.list()
    child.end(1)
    await expect(lost).rejects.toMatchObject({ how: 'crash', flight: undefined })
  })
})

test('closing kills the process, removes its folder, and may happen twice', async () => {
  const { worker, child } = started()
  const folder = dirname(worker.scratchFile('x'))
  expect(existsSync(folder)).toBe(true)
  worker.close()
  worker.close()
  expect(child.signals).toContain('SIGKILL')
  expect([existsSync(folder), worker.ended]).toEqual([false, true])
  await expect(worker.list()).rejects.toThrow('the worker was closed')
})

test('a folder of temporary files that cannot be used is named, with the reason', () => {
  vi.stubEnv('TMPDIR', '/dev/null')
  expect(started).toThrow(/^cannot write temporary files in \/dev\/null: not a directory \(ENOTDIR\)\. Make room/)
  vi.unstubAllEnvs()
})
