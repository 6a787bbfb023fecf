/** An execution so far, as a device knows it: what it was asked, and how things stand. So it can restart. */
import { type Device, NOTHING, type Outcome } from './device.ts'
import type { SessionRequest } from './messages.ts'

/** The device has forgotten what it keeps only while it runs. */
const FORGET = { type: 'forget' } as const

export class Course {
  readonly #device: Device
  #requests: (SessionRequest | typeof FORGET)[] = []
  #outcome: Outcome = NOTHING

  constructor(device: Device) {
    this.#device = device
  }

  /** Asks the device for what the world wants of it. @throws DeviceError */
  async carryOut(request: SessionRequest): Promise<Outcome> {
    const { type, session, atUs } = request
    this.#requests.push(request)
    this.#outcome =
      type === 'open'
        ? await this.#device.open(session, atUs, request.error)
        : type === 'hand'
          ? await this.#device.hand(session, atUs, request.unit, request.error)
          : await this.#device[type](session, atUs)
    return this.#outcome
  }

  /**
   * Closes all sessions. What is lost is undone before: everything is put back, and done again up to there.
   *
   * @param lost how many of the last units are lost
   * @throws DeviceError
   */
  async restart(lost: number, atUs: number): Promise<void> {
    if (lost > 0) await this.#undo(lost)
    const open = new Set<number>()
    for (const request of this.#requests)
      if (request.type === 'open') open.add(request.session)
      else if (request.type === 'close') open.delete(request.session)
    while (open.size > 0) {
      const session = firstToLeave(open, this.#outcome)
      open.delete(session)
      await this.carryOut({ type: 'close', device: 0, session, atUs })
    }
    await this.#forget()
  }

  async #forget(): Promise<void> {
    this.#requests.push(FORGET)
    await this.#device.forget?.()
  }

  async #undo(lost: number): Promise<void> {
    const units = this.#requests.flatMap(({ type }, at) => (type === 'hand' ? [at] : []))
    const kept = this.#requests.slice(0, units.at(-lost))
    await this.#device.end()
    this.#requests = []
    this.#outcome = NOTHING
    for (const request of kept) await (request.type === 'forget' ? this.#forget() : this.carryOut(request))
  }
}

/** Who waits leaves before what it waits for is released: nothing more is carried out. */
function firstToLeave(open: ReadonlySet<number>, { blocked }: Outcome): number {
  const waiting = blocked.map(({ session }) => session).filter((session) => open.has(session))
  const isWaitedFor = (session: number) => blocked.some(({ by }) => by.includes(session))
  return waiting.find((session) => !isWaitedFor(session)) ?? waiting[0] ?? [...open][0]!
}
