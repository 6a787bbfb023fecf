// eventemitter3 5, by its readme, with listeners that are called from timers and files.
import assert from 'node:assert/strict'
import { stat } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventEmitter } from 'eventemitter3'

test('listeners are called in order, with arguments and context', () => {
  const emitter = new EventEmitter<string, object>()
  const seen: unknown[] = []
  const context = { name: 'context' }
  emitter.on(
    'event',
    function (this: unknown, ...args: unknown[]) {
      seen.push([this === context, args])
    },
    context,
  )
  emitter.on('event', () => seen.push('second'))
  assert.equal(emitter.emit('event', 1, 2, 3, 4, 5, 6), true)
  assert.deepEqual(seen, [[true, [1, 2, 3, 4, 5, 6]], 'second'])
})

test('an event that nobody listens to', () => {
  assert.equal(new EventEmitter().emit('nothing'), false)
})

test('once() is called once, also when it emits again', () => {
  const emitter = new EventEmitter()
  let calls = 0
  emitter.once('event', () => {
    calls++
    emitter.emit('event')
  })
  emitter.emit('event')
  emitter.emit('event')
  assert.equal(calls, 1)
})

test('off() takes one listener away, removeAllListeners() all', () => {
  const emitter = new EventEmitter()
  const seen: string[] = []
  const first = () => seen.push('first')
  emitter.on('event', first)
  emitter.on('event', () => seen.push('second'))
  emitter.off('event', first)
  emitter.emit('event')
  emitter.removeAllListeners()
  emitter.emit('event')
  assert.deepEqual([seen, emitter.eventNames()], [['second'], []])
})

test('listeners(), listenerCount(), eventNames()', () => {
  const emitter = new EventEmitter()
  const symbol = Symbol('event')
  const listener = () => {}
  emitter.on('a', listener).on('a', listener).once(symbol, listener)
  assert.deepEqual(emitter.eventNames(), ['a', symbol])
  assert.deepEqual([emitter.listenerCount('a'), emitter.listenerCount(symbol)], [2, 1])
  assert.deepEqual(emitter.listeners('a'), [listener, listener])
})

test('a listener that throws stops the emit', () => {
  const emitter = new EventEmitter()
  let called = false
  emitter.on('event', () => {
    throw new Error('broken')
  })
  emitter.on('event', () => {
    called = true
  })
  assert.throws(() => emitter.emit('event'), /broken/)
  assert.equal(called, false)
})

test('a listener taken away while others are called', () => {
  const emitter = new EventEmitter()
  const seen: number[] = []
  const third = () => seen.push(3)
  emitter.on('event', () => {
    seen.push(1)
    emitter.off('event', third)
  })
  emitter.on('event', () => seen.push(2))
  emitter.on('event', third)
  emitter.emit('event')
  emitter.emit('event')
  assert.deepEqual(seen, [1, 2, 3, 1, 2])
})

test('events from timers of one length come in order', async () => {
  const emitter = new EventEmitter<'event'>()
  const seen: number[] = []
  emitter.on('event', (each: number) => seen.push(each))
  for (let each = 0; each < 5; each++) setTimeout(() => emitter.emit('event', each), 10)
  await sleep(10)
  assert.deepEqual(seen, [0, 1, 2, 3, 4])
})

test('a promise of an event', async () => {
  const emitter = new EventEmitter<'ready'>()
  const ready = new Promise((resolve) => emitter.once('ready', resolve))
  stat('/', (error, stats) => emitter.emit('ready', error ?? stats.isDirectory()))
  assert.equal(await ready, true)
})

test('an event of every file, in whatever order', async () => {
  const emitter = new EventEmitter<'one' | 'all'>()
  const names = ['/', '/tmp', '/etc', '/usr', '/dev']
  const seen = new Set<string>()
  const all = new Promise<void>((resolve) => emitter.once('all', resolve))
  emitter.on('one', (name: string) => {
    seen.add(name)
    if (seen.size === names.length) emitter.emit('all')
  })
  for (const name of names) stat(name, () => emitter.emit('one', name))
  await all
  assert.deepEqual([...seen].sort(), [...names].sort())
})
