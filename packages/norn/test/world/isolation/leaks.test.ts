/** A leak names the call that opened the thing that is left, whatever else has the same name. */
import process from 'node:process'
import { expect, test } from 'vitest'
import { Leaks } from '../../../src/world/isolation/leaks.ts'
import type { LeftOpen } from '../../../src/world/loop/interceptor.ts'
import { OriginsByLabel } from '../../../src/world/trace/origin.ts'

function explaining(before: readonly LeftOpen[] = []): Leaks {
  const leaks = new Leaks((path) => path)
  leaks.reset(true)
  leaks.loaded(before)
  return leaks
}

const left = (leaks: Leaks, open: readonly LeftOpen[] = []) =>
  leaks
    .found({ running: undefined, open, origins: new OriginsByLabel() })
    // The runner changes globals of its process.
    .filter(({ kind }) => kind !== 'object')
    .map(({ what, origin }) => `${what} (${origin?.functionName})`)

const file = (path = 'a.log'): LeftOpen => ({ path, opened: {} })

test('two calls open one path, and take effect in the other order', () => {
  const leaks = explaining()
  const stream = file()
  const read = file()
  const streams = (function opensStream() {
    return leaks.called('open')!
  })()
  const reads = (function opensToRead() {
    return leaks.called('open')!
  })()
  leaks.effective(reads)
  leaks.opened(read.opened)
  leaks.effective(streams)
  leaks.opened(stream.opened)
  expect(left(leaks, [stream])).toEqual(['a.log, still open (opensStream)'])
  expect(left(leaks, [read])).toEqual(['a.log, still open (opensToRead)'])
})

test('a synchronous call opens at once', () => {
  const leaks = explaining()
  const first = file()
  ;(function opensFirst() {
    leaks.called('open')
  })()
  leaks.opened(first.opened)
  ;(function opensSecond() {
    leaks.called('open')
  })()
  leaks.opened({})
  expect(left(leaks, [first])).toEqual(['a.log, still open (opensFirst)'])
})

test('what the modules opened is no leak, even if the body closed some of it', () => {
  const loaded = file('loaded.log')
  const leaks = explaining([file('closed.log'), loaded])
  leaks.called('open')
  const later = file('later.log')
  leaks.opened(later.opened)
  expect(left(leaks, [later, loaded])).toHaveLength(1)
})

test('of two listeners of one event, the one that stayed is named', () => {
  const leaks = explaining()
  const stays = () => {}
  const goes = () => {}
  ;(function adds() {
    leaks.listened(stays)
  })()
  leaks.listened(goes)
  process.once('SIGUSR2', stays)
  try {
    expect(left(leaks)).toEqual(["a listener of 'SIGUSR2' on process (adds)"])
  } finally {
    process.removeListener('SIGUSR2', stays)
  }
})
