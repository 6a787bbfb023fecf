/** A device that restarts, as the world sees it: what it is asked, in which order. */
import { expect, test } from 'vitest'
import { Course } from '../../src/devices/course.ts'
import { type Device, NOTHING, type Outcome } from '../../src/devices/device.ts'
import type { SessionRequest } from '../../src/devices/messages.ts'

/** Says what it is asked; sessions are blocked as a table says, behind each unit that it names. */
class Asked implements Device {
  readonly log: string[] = []
  readonly #blocked: Readonly<Record<string, Outcome['blocked']>>

  constructor(blocked: Readonly<Record<string, Outcome['blocked']>> = {}) {
    this.#blocked = blocked
  }

  async #say(text: string): Promise<Outcome> {
    this.log.push(text)
    return { ...NOTHING, blocked: this.#blocked[text] ?? [] }
  }

  open = (session: number) => this.#say(`open ${session}`)
  hand = (session: number, _: number, unit: Uint8Array) => this.#say(`${session}: ${Buffer.from(unit)}`)
  elapse = (session: number) => this.#say(`elapse ${session}`)
  close = (session: number) => this.#say(`close ${session}`)
  end = async () => void (await this.#say('end'))
  dispose = async () => {}
  forget = async () => void (await this.#say('forget'))
}

/** A course in which sessions begin, and hand over their units. */
async function course(device: Asked, ...requests: readonly (readonly [session: number, unit?: string])[]) {
  const begun = new Course(device)
  for (const [session, text] of requests) {
    const part = text === undefined ? { type: 'open' as const } : { type: 'hand' as const, unit: Buffer.from(text) }
    await begun.carryOut({ ...part, device: 0, session, atUs: 1 } satisfies SessionRequest)
  }
  device.log.length = 0
  return begun
}

test('all sessions are closed, and nothing else is done if nothing is lost', async () => {
  const device = new Asked()
  const before = await course(device, [1], [1, 'a'], [2], [2, 'b'])
  await before.restart(0, 2)
  expect(device.log).toEqual(['close 1', 'close 2', 'forget'])
  // What comes later knows that they are closed.
  device.log.length = 0
  await before.restart(0, 3)
  expect(device.log).toEqual(['forget'])
})

test('what is lost is undone by doing again what came before', async () => {
  const device = new Asked()
  const before = await course(device, [1], [1, 'a'], [2], [2, 'b'], [1, 'c'])
  await before.restart(2, 2)
  expect(device.log).toEqual(['end', 'open 1', '1: a', 'open 2', 'close 1', 'close 2', 'forget'])
})

test('what an earlier restart has forgotten is forgotten again where it was', async () => {
  const device = new Asked()
  const before = await course(device, [1], [1, 'a'])
  await before.restart(0, 2)
  for (const unit of ['b', 'c'])
    await before.carryOut({ type: 'hand', unit: Buffer.from(unit), device: 0, session: 2, atUs: 3 })
  device.log.length = 0
  await before.restart(1, 4)
  expect(device.log).toEqual(['end', 'open 1', '1: a', 'close 1', 'forget', '2: b', 'forget'])
})

test('who waits leaves before what it waits for', async () => {
  const chain = [
    { session: 2, by: [1] },
    { session: 3, by: [2] },
  ]
  const device = new Asked({ '3: c': chain, 'close 3': chain.slice(0, 1) })
  const before = await course(device, [1], [2], [3], [1, 'a'], [2, 'b'], [3, 'c'])
  await before.restart(0, 2)
  expect(device.log).toEqual(['close 3', 'close 2', 'close 1', 'forget'])
})
