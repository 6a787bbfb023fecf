/**
 * The rows of what threads and child processes send to each other: each message has one, where it arrives,
 * and its number, which the row of the step that sent it has too.
 */
import type { Passed } from '../../contract/messaging.ts'
import type { TraceEvent } from '../../contract/trace.ts'
import { isNote, type TraceStep } from '../../world/trace/trace-difference.ts'
import type { Row } from './diagram.ts'
import { numbersText } from './numbers.ts'
import type { Placing } from './placing.ts'
import { isOfOperation, type Placed } from './step-text.ts'

export class PassedRows {
  readonly #passed: ReadonlyMap<string, Passed>
  readonly #placing: Placing
  /** Labels of what arrives, as a step of its own or within another. */
  readonly #arrived: ReadonlySet<string>
  /** The rows at which each arrives; the first row of each step that ran. */
  readonly #arrivals = new Map<string, number>()
  readonly #runs = new Map<string, number>()

  /** Ports that the last row about closing tells of, and its index. */
  #closed = 0
  #closedRow = -1

  constructor({ messaging, trace, notes }: Placed, placing: Placing) {
    this.#placing = placing
    this.#passed = placing.hasIsolates ? messaging!.passed : new Map()
    const ran = trace.filter(({ event }) => event === 'callback').map(({ label }) => label)
    const received = notes.filter(({ event }) => event === 'receive').map(({ subject }) => subject)
    this.#arrived = new Set([...ran, ...received])
  }

  /** The order of steps in the diagram: a thread's last messages are received before its end is heard of. */
  orderOf(steps: readonly TraceStep[]): number[] {
    const order = [...steps.keys()]
    for (const [at, step] of steps.entries()) {
      if (isNote(step) || step.event !== 'callback' || this.#passed.get(step.label)?.what !== 'exit') continue
      const last = steps.findLastIndex((each) => each.event === 'receive' && each.label === step.label)
      if (last < 0) continue
      order.splice(order.indexOf(last) + 1, 0, at)
      order.splice(order.indexOf(at), 1)
    }
    return order
  }

  /** Whether a step is one of sending or receiving something. */
  has(step: TraceStep): boolean {
    return this.#subjectOf(step) !== undefined
  }

  /** Whether it arrives, or says enough by its being sent. */
  isSettled(label: string): boolean {
    const { what } = this.#passed.get(label)!
    return this.#arrived.has(label) || (what !== 'message' && what !== 'error')
  }

  /** The lane of the sender of what arrives with a step. */
  senderOf(step: TraceStep): number | undefined {
    const passed = this.#subjectOf(step)
    return passed && this.#placing.ofSent(passed)
  }

  /** A step has a row. */
  addRow(step: TraceStep, row: number): void {
    const { event, label } = step
    if (event === 'receive') this.#arrivals.set(step.subject, row)
    else if (event === 'callback') this.#arrivals.set(label, row)
    const isRun = !isOfOperation(event) || event === 'callback'
    if (isRun && !this.#runs.has(label)) this.#runs.set(label, row)
  }

  /** Whether the row before tells that ports are closed at this moment; then it tells of one more. */
  closesWith(step: TraceEvent, rows: Row[]): boolean {
    const last = rows.at(-1)
    const isSame = last !== undefined && last.atUs === step.atUs && last.lane === this.#placing.ofMaker(step)
    this.#closed = isSame && this.#closedRow === rows.length - 1 ? this.#closed + 1 : 1
    if (this.#closed === 1) this.#closedRow = rows.length
    else rows[this.#closedRow] = { ...last!, text: `closes ${this.#closed} ports` }
    return this.#closed > 1
  }

  /** Numbers the messages, and joins the rows that sent them with those at which they arrive. */
  link(rows: Row[]): void {
    const sends = new Map<number, number[]>()
    let number = 0
    for (const [label, { what, sentIn }] of this.#passed) {
      const [to, from] = [this.#arrivals.get(label), this.#runs.get(sentIn)]
      if (to === undefined || (what !== 'message' && what !== 'error')) continue
      number++
      const row = rows[to]!
      rows[to] = { ...row, text: `#${number} ${row.text}` }
      if (from === undefined || from >= to) continue
      const { arrow } = rows[to]
      if (arrow !== undefined && rows[from]!.lane === arrow.from)
        rows[to] = { ...rows[to], arrow: { ...arrow, sent: from } }
      sends.set(from, [...(sends.get(from) ?? []), number])
    }
    for (const [row, numbers] of sends) rows[row] = { ...rows[row]!, sends: numbersText(numbers) }
  }

  #subjectOf(step: TraceStep): Passed | undefined {
    if (step.event === 'receive') return this.#passed.get(step.subject)
    return isOfOperation(step.event) ? this.#passed.get(step.label) : undefined
  }
}
