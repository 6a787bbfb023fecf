/**
 * Runs a permutation of an isolation specification on a device, and prints what PostgreSQL's own isolation tester
 * prints of it. Where that one looks every 10 ms whether a session still waits, here the device says so.
 */
import { textsOf } from '../../packages/norn/src/devices/postgres/connection.ts'
import { fields, type Message, strings } from '../../packages/norn/src/devices/postgres/messages.ts'
import type { DeviceClient, DeviceSession } from './device-client.ts'
import { errorText, noticeText, type ResultSet, resultText } from './printed.ts'
import type { Permutation, PermutationStep, Specification } from './specification.ts'

/** The session of setups and teardowns; those of the specification have the numbers from 1 on. */
const CONTROL = 0

interface Active {
  readonly permuted: PermutationStep
  /** Of each blocker that counts notices, how many there have to be. */
  readonly targets: ReadonlyMap<unknown, number>
}

interface Connected {
  readonly number: number
  readonly name: string
  readonly session: DeviceSession
  active: Active | undefined
  notices: number
}

/** Rows, or an error as it is printed; undefined for what has neither. */
type Result = ResultSet | string | undefined

/** A permutation that does not come to an end. */
class Stuck extends Error {}

export class IsolationTester {
  readonly #client: DeviceClient
  readonly #specification: Specification
  readonly #parameters: (session: string) => Readonly<Record<string, string>>
  #connected: readonly Connected[] = []
  #waiting: Connected[] = []
  #printed = ''

  /** @param parameters of the connection of a session, by its name */
  constructor(
    client: DeviceClient,
    specification: Specification,
    parameters: (session: string) => Readonly<Record<string, string>>,
  ) {
    this.#client = client
    this.#specification = specification
    this.#parameters = parameters
  }

  /**
   * Runs a permutation as an execution, of which nothing is left.
   *
   * @returns what is printed, and a digest of all that the device has said
   */
  async run(permutation: Permutation): Promise<{ readonly printed: string; readonly digest: string }> {
    this.#printed = ''
    this.#waiting = []
    try {
      await this.#perform(permutation)
    } catch (error) {
      if (!(error instanceof Stuck)) throw error
      this.#print(`${error.message}\n`)
    }
    const digest = await this.#client.end()
    return { printed: this.#printed, digest }
  }

  async #perform(permutation: Permutation): Promise<void> {
    const { setups, sessions, teardown } = this.#specification
    this.#print(`starting permutation: ${permutation.map(({ step }) => step.name).join(' ')}\n`)
    const control = await this.#connect(CONTROL, 'control connection')
    this.#connected = []
    for (const [index, { name }] of sessions.entries())
      this.#connected = [...this.#connected, await this.#connect(index + 1, name)]
    for (const setup of setups) await this.#apart(control, setup, 'setup')
    for (const [index, { setup }] of sessions.entries())
      if (setup !== undefined)
        await this.#apart(this.#connected[index]!, setup, `setup of session ${sessions[index]!.name}`)
    for (const each of permutation) await this.#launch(each)
    await this.#completeAll(false)
    for (const [index, { teardown }] of sessions.entries())
      if (teardown !== undefined) await this.#apart(this.#connected[index]!, teardown, undefined)
    if (teardown !== undefined) await this.#apart(control, teardown, undefined)
  }

  async #connect(number: number, name: string): Promise<Connected> {
    const session = await this.#client.open(number, this.#parameters(name))
    return { number, name, session, active: undefined, notices: 0 }
  }

  /** SQL that is no step: only its last result is printed. @param what it is, if it must not fail */
  async #apart(connected: Connected, sql: string, what: string | undefined): Promise<void> {
    if (connected.session.isClosed) return
    await this.#client.query(connected.number, sql)
    while (connected.session.isBusy) await this.#pass()
    let last: Result
    this.#results(connected, (result) => {
      last = result
      if (typeof result === 'string' && what !== undefined) throw new Stuck(`${what} failed: ${result}`)
    })
    if (typeof last === 'object') this.#print(resultText(last))
  }

  async #launch(permuted: PermutationStep): Promise<void> {
    const connected = this.#connected[permuted.step.session]!
    for (let rounds = 0; connected.active !== undefined; rounds++) {
      if (await this.#complete(connected, { mayWait: false, isAgain: true }))
        this.#waiting.splice(this.#waiting.indexOf(connected), 1)
      await this.#completeAll(true)
      if (rounds > this.#connected.length) throw new Stuck(`step ${connected.active?.permuted.step.name} does not end`)
    }
    if (connected.session.isClosed) throw new Stuck(`failed to send query for step ${permuted.step.name}`)
    const counted = permuted.blockers.flatMap((each) => (each.kind === 'notices' ? [each] : []))
    const targets = new Map(counted.map((each) => [each, each.count + this.#connected[each.step.session]!.notices]))
    connected.active = { permuted, targets }
    await this.#client.query(connected.number, permuted.step.sql)
    const isDone = await this.#complete(connected, { mayWait: true, isAgain: false })
    await this.#completeAll(true)
    if (!isDone) this.#waiting.push(connected)
  }

  /** Steps that wait, again while one of them may have let another go. */
  async #completeAll(mayWait: boolean): Promise<void> {
    for (;;) {
      const before = this.#waiting.length
      const notices = this.#notices()
      const left: Connected[] = []
      for (const each of this.#waiting) if (!(await this.#complete(each, { mayWait, isAgain: true }))) left.push(each)
      this.#waiting = left
      const hasBlocker = left.some(({ active }) => active!.permuted.blockers.length > 0)
      if (!hasBlocker || (left.length === before && this.#notices() === notices)) break
    }
    if (!mayWait && this.#waiting.length > 0) throw new Stuck('steps block each other')
  }

  #notices(): number {
    return this.#connected.reduce((sum, { notices }) => sum + notices, 0)
  }

  /** Whether the active step of a session is completed, and printed. */
  async #complete(
    connected: Connected,
    { mayWait, isAgain }: { readonly mayWait: boolean; readonly isAgain: boolean },
  ): Promise<boolean> {
    const { session } = connected
    const { step, blockers } = connected.active!.permuted
    const waits = () => {
      if (!isAgain) this.#print(`step ${step.name}: ${step.sql} <waiting ...>\n`)
      return false
    }
    if (!isAgain && blockers.some(({ kind }) => kind === 'once')) return waits()
    this.#hear(connected)
    while (session.isBusy) {
      if (mayWait && session.isBlocked) return waits()
      await this.#pass()
      this.#hear(connected)
    }
    if (this.#isHeld(connected.active!)) return waits()
    this.#print(isAgain ? `step ${step.name}: <... completed>\n` : `step ${step.name}: ${step.sql}\n`)
    this.#results(connected, (result) => {
      if (result !== undefined) this.#print(typeof result === 'string' ? result : resultText(result))
    })
    connected.active = undefined
    return true
  }

  #isHeld({ permuted, targets }: Active): boolean {
    return permuted.blockers.some((blocker) => {
      if (blocker.kind === 'once') return false
      const other = this.#connected[blocker.step.session]!
      return blocker.kind === 'step'
        ? other.active?.permuted.step === blocker.step
        : other.notices < targets.get(blocker)!
    })
  }

  /** Virtual time passes. */
  async #pass(): Promise<void> {
    if (!(await this.#client.elapse())) throw new Stuck('nothing ends by itself')
  }

  /** Prints the notices before the end of the first result. */
  #hear(connected: Connected): void {
    const { messages } = connected.session
    const end = messages.findIndex(({ type }) => RESULT_ENDS.includes(type))
    const before = messages.splice(0, end < 0 ? messages.length : end)
    messages.unshift(...before.filter((each) => !this.#notice(connected, each)))
  }

  #notice(connected: Connected, { type, body }: Message): boolean {
    if (type !== 'N') return false
    if (connected.number !== CONTROL) this.#print(`${connected.name}: ${noticeText(fields(body))}`)
    connected.notices++
    return true
  }

  /** Takes the results that have arrived, one after the other. */
  #results(connected: Connected, take: (result: Result) => void): void {
    const { session } = connected
    const notifications: string[] = []
    let names: readonly string[] | undefined
    let rows: string[][] = []
    for (const each of session.messages.splice(0)) {
      const { type, body } = each
      this.#notice(connected, each)
      if (type === 'T') names = namesOf(body)
      if (type === 'D') rows.push(textsOf(body))
      if (type === 'C') take(names === undefined ? undefined : { names, rows })
      if (type === 'C' || type === 'E') {
        names = undefined
        rows = []
      }
      if (type === 'E') take(errorText(fields(body)))
      if (type === 'A') notifications.push(this.#notification(connected, body))
    }
    if (session.isClosed) take(GONE)
    for (const each of notifications) take(each)
  }

  #notification(connected: Connected, body: Buffer): string {
    const pid = body.readInt32BE(0)
    const [channel, payload] = strings(body, 4)
    const sender = this.#connected.find(({ session }) => session.pid === pid)?.name ?? `PID ${pid}`
    return `${connected.name}: NOTIFY "${channel}" with payload "${payload}" from ${sender}\n`
  }

  #print(text: string): void {
    this.#printed += text
  }
}

/** What libpq says of a server that closes a connection. */
const GONE = `server closed the connection unexpectedly
	This probably means the server terminated abnormally
	before or while processing the request.

`

const RESULT_ENDS = ['C', 'E', 'I', 'Z']

function namesOf(body: Buffer): string[] {
  let at = 2
  return Array.from({ length: body.readUInt16BE(0) }, () => {
    const end = body.indexOf(0, at)
    const name = body.toString('utf8', at, end)
    at = end + 19
    return name
  })
}
