// p-queue 10, by its readme: concurrency, priority, pausing, waiting for states, rates, timeouts, signals, events.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'

test('add() gives what the task gives', async () => {
  assert.equal(await new PQueue().add(() => sleep(5, 'done')), 'done')
})

test('add() rejects with the error of the task, and the queue goes on', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const bad = queue.add(async () => {
    await sleep(2)
    throw new Error('broken')
  })
  const good = queue.add(() => 'fine')
  await assert.rejects(bad, /broken/)
  assert.equal(await good, 'fine')
})

test('never more tasks run than the concurrency allows', async () => {
  const queue = new PQueue({ concurrency: 3 })
  let running = 0
  let most = 0
  await queue.addAll(
    Array.from({ length: 20 }, (_, index) => async () => {
      most = Math.max(most, ++running)
      await sleep(index % 4)
      running--
    }),
  )
  assert.equal(most, 3)
  assert.equal(running, 0)
})

test('with one at a time, tasks on the disk run in order and do not overlap', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const file = join(tmpdir(), 'norn-p-queue-log')
  await writeFile(file, '')
  await Promise.all(
    [1, 2, 3, 4].map((each) => queue.add(async () => writeFile(file, `${await readFile(file, 'utf8')}${each}`))),
  )
  assert.equal(await readFile(file, 'utf8'), '1234')
})

test('addAll() gives the results in the order of the tasks', async () => {
  const queue = new PQueue({ concurrency: 2 })
  assert.deepEqual(await queue.addAll([20, 5, 10].map((ms) => () => sleep(ms, ms))), [20, 5, 10])
})

test('waiting tasks run by priority, equal ones in order', async () => {
  const queue = new PQueue({ concurrency: 1, autoStart: false })
  const seen: string[] = []
  const add = (name: string, priority: number) => queue.add(() => seen.push(name), { priority })
  const all = [add('a', 0), add('b', 2), add('c', 1), add('d', 2), add('e', 0)]
  queue.start()
  await Promise.all(all)
  assert.deepEqual(seen, ['b', 'd', 'c', 'a', 'e'])
})

test('setPriority() moves a waiting task', async () => {
  const queue = new PQueue({ concurrency: 1, autoStart: false })
  const seen: string[] = []
  for (const id of ['a', 'b', 'c']) void queue.add(() => seen.push(id), { id, priority: 1 })
  queue.setPriority('c', 5)
  queue.start()
  await queue.onIdle()
  assert.deepEqual(seen, ['c', 'a', 'b'])
})

test('size counts who waits, pending who runs', async () => {
  const queue = new PQueue({ concurrency: 2 })
  const all = Array.from({ length: 5 }, () => queue.add(() => sleep(3)))
  assert.deepEqual([queue.size, queue.pending], [3, 2])
  await Promise.all(all)
  assert.deepEqual([queue.size, queue.pending], [0, 0])
})

test('pause() keeps new tasks from starting until start()', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const seen: number[] = []
  void queue.add(() => sleep(3).then(() => seen.push(1)))
  void queue.add(() => seen.push(2))
  queue.pause()
  assert.equal(queue.isPaused, true)
  await sleep(30)
  assert.equal(seen.includes(2), false)
  queue.start()
  await queue.onIdle()
  assert.deepEqual(seen, [1, 2])
})

test('onEmpty() is before onIdle()', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const seen: string[] = []
  for (let each = 0; each < 3; each++) void queue.add(() => sleep(2))
  await Promise.all([
    queue.onEmpty().then(() => seen.push(`empty ${queue.size}`)),
    queue.onIdle().then(() => seen.push(`idle ${queue.pending}`)),
  ])
  assert.deepEqual(seen, ['empty 0', 'idle 0'])
})

test('onSizeLessThan() waits until few wait', async () => {
  const queue = new PQueue({ concurrency: 1 })
  for (let each = 0; each < 6; each++) void queue.add(() => sleep(1))
  await queue.onSizeLessThan(3)
  assert.ok(queue.size < 3)
  await queue.onIdle()
})

test('clear() forgets who waits', async () => {
  const queue = new PQueue({ concurrency: 1 })
  let ran = 0
  for (let each = 0; each < 4; each++) void queue.add(() => sleep(2).then(() => ran++))
  queue.clear()
  assert.equal(queue.size, 0)
  await queue.onIdle()
  await sleep(10)
  assert.equal(ran, 1)
})

test('a timeout rejects a task that takes long', async () => {
  const queue = new PQueue({ timeout: 50 })
  await assert.rejects(
    queue.add(() => sleep(100_000, undefined, { ref: false })),
    { name: 'TimeoutError' },
  )
})

test('a signal aborts a task that waits', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const controller = new AbortController()
  const first = queue.add(() => sleep(5))
  let ran = false
  const second = queue.add(
    () => {
      ran = true
    },
    { signal: controller.signal },
  )
  controller.abort(new Error('not wanted'))
  await assert.rejects(second, /not wanted/)
  await first
  assert.equal(ran, false)
})

test('no more tasks start in an interval than its cap', async () => {
  const queue = new PQueue({ intervalCap: 2, interval: 100 })
  const began = performance.now()
  const starts: number[] = []
  await queue.addAll(Array.from({ length: 6 }, () => async () => void starts.push(performance.now() - began)))
  assert.ok(starts[2]! >= 80, `the third began at ${starts[2]}`)
  assert.ok(starts[4]! >= 180, `the fifth began at ${starts[4]}`)
})

test('events tell what happens, in order', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const seen: string[] = []
  for (const name of ['add', 'active', 'completed', 'error', 'next', 'empty', 'idle'] as const) {
    queue.addEventListener(name, () => seen.push(name))
  }
  await queue.add(() => sleep(1))
  await queue.onIdle()
  assert.deepEqual(seen.slice(0, 3), ['add', 'active', 'completed'])
  assert.deepEqual(seen.slice(3).sort(), ['empty', 'idle', 'next'])
})

test('a task that adds tasks is waited for', async () => {
  const queue = new PQueue({ concurrency: 2 })
  let visited = 0
  const visit = async (depth: number): Promise<void> => {
    await sleep(1)
    visited++
    if (depth > 0) for (let each = 0; each < 2; each++) void queue.add(() => visit(depth - 1))
  }
  void queue.add(() => visit(3))
  await queue.onIdle()
  assert.equal(visited, 15)
})
