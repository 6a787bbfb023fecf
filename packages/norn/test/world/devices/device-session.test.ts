import { expect, test } from 'vitest'
import type { Conversation } from '../../../src/devices/device.ts'
import { DeviceSession, type DeviceSessionHost } from '../../../src/world/devices/device-session.ts'
import { Causality } from '../../../src/world/loop/causality.ts'
import { Descriptors } from '../../../src/world/loop/poll-descriptors.ts'
import { Side } from '../../../src/world/network/connection.ts'

/** Each letter is a unit. */
const letters: Conversation = {
  units: (bytes) => [...bytes].map((byte) => ({ bytes: Buffer.from([byte]), text: '', name: '' })),
  answer: String,
  errors: () => [],
}

/** A client whose bytes take 10 us, and a session in which a unit behind another of one segment is 100 us late. */
function opened(seesLeaving = false, fault?: DeviceSessionHost['fault']) {
  const causality = new Causality()
  let nowUs = 0
  const announce = (kind: string) => ({ step: causality.child(), delayUs: kind === 'statement' ? 100 : 10 })
  const courier = { nowUs: () => nowUs, announce }
  const [client, far] = [new Side('client', 'tcp', courier), new Side('server', 'tcp', courier)]
  Side.pair(client, far)
  const log: string[] = []
  const say = (what: string) => void log.push(`${nowUs} ${what}`)
  const session: DeviceSession = new DeviceSession(0, far, causality.current, letters, {
    seesLeaving,
    nowUs: () => nowUs,
    announce,
    descriptors: new Descriptors(),
    causedBy: (_, action) => action(),
    readsAnswers: () => false,
    fault: fault ?? (() => undefined),
    hand: ({ bytes }, met) => say(`${met === undefined ? 'hands' : 'refuses'} ${Buffer.from(bytes)}`),
    elapse: () => say('elapses'),
    close: () => say('closes'),
  })
  const until = (us: number) => {
    while (session.readyUs <= us) {
      nowUs = Math.max(nowUs, session.readyUs)
      session.next(nowUs)!.run()
    }
    nowUs = us
  }
  return { client, session, log, until }
}

test('units of one segment are handed over one by one, with a latency between them', () => {
  const { client, log, until } = opened()
  client.send(Buffer.from('abc'))
  until(1000)
  expect(log).toEqual(['10 hands a', '110 hands b', '210 hands c'])
})

test('units of segments of their own come as they arrive', () => {
  const { client, log, until } = opened()
  for (const text of ['a', 'b']) client.send(Buffer.from(text))
  until(1000)
  expect(log).toEqual(['10 hands a', '10 hands b'])
})

test('a unit is refused at once, or once its time is over; units behind it wait', () => {
  const error = { code: '57014', text: 'canceling statement due to statement timeout', afterUs: 5000 }
  const { client, log, until } = opened(false, ({ bytes }) => (String(bytes) === 'a' ? { error } : undefined))
  client.send(Buffer.from('ab'))
  until(10_000)
  expect(log).toEqual(['5010 refuses a', '5010 hands b'])
  const { client: other, log: otherLog, until: otherUntil } = opened(false, () => ({ error: { ...error, afterUs: 0 } }))
  other.send(Buffer.from('a'))
  otherUntil(1000)
  expect(otherLog).toEqual(['10 refuses a'])
})

test('a session that is blocked hands nothing over until it is released', () => {
  const { client, session, log, until } = opened()
  session.waitsFor = [2]
  client.send(Buffer.from('a'))
  until(1000)
  expect(log).toEqual([])
  session.waitsFor = undefined
  session.refresh()
  until(2000)
  expect(log).toEqual(['1000 hands a'])
})

test('what ends by itself does so at its moment, blocked or not', () => {
  const { session, log, until } = opened()
  session.waitsFor = [2]
  session.endsBy(500)
  until(499)
  session.endsBy(700)
  until(1000)
  expect(log).toEqual(['700 elapses'])
})

test('a client that leaves closes its session behind the units that it has sent', () => {
  const { client, log, until } = opened()
  client.send(Buffer.from('ab'))
  client.close()
  until(1000)
  expect(log).toEqual(['10 hands a', '110 hands b', '110 closes'])
})

test.each([
  { seesLeaving: true, closes: ['10 closes'] },
  { seesLeaving: false, closes: [] },
])('while it is blocked its server sees that, or once it is released: $seesLeaving', ({ seesLeaving, closes }) => {
  const { client, session, log, until } = opened(seesLeaving)
  session.waitsFor = [2]
  client.close()
  until(1000)
  expect(log).toEqual(closes)
  session.waitsFor = undefined
  session.refresh()
  until(2000)
  expect(log).toEqual(seesLeaving ? closes : ['1000 closes'])
})
