/**
 * Which isolate does what, and what they send to each other, for reports. Taken only when explaining; no
 * part of the trace.
 */
import { basename } from 'node:path'
import type { IsolateName, Messaging, Passed } from '../../contract/messaging.ts'
import { cut } from '../../contract/text.ts'
import type { Causality, Step } from '../loop/causality.ts'
import type { Isolate } from '../loop/isolate.ts'
import { RealMap } from '../realm/language.ts'

/** Steps that are kept. */
const MAX_STEPS = 200_000

/** Characters of a content. */
const MAX_TEXT = 400

export type Content = Pick<Passed, 'what' | 'text'>

interface MessagingHost {
  readonly causality: Causality
  /** Keeps the running stack under a name. */
  capture(place: string): void
  noted(event: 'receive' | 'terminate', subject: Pick<Step, 'label'>): void
  /** Names paths in a text relative to the project. */
  relative(text: string): string
}

export class MessagingRecord implements Messaging {
  readonly isolates: IsolateName[] = [{ kind: 'body', number: 0, file: '', parent: 0, place: '' }]
  readonly makers = new RealMap<string, number>()
  readonly runners = new RealMap<string, number>()
  readonly passed = new RealMap<string, Passed>()
  readonly routine = new Set<string>()
  readonly #indices = new RealMap<Isolate, number>()
  readonly #host: MessagingHost
  #processes = 0

  constructor(host: MessagingHost) {
    this.#host = host
  }

  /** The running isolate starts another. */
  starts(isolate: Isolate, file: string, name?: string): void {
    const isProcess = isolate.parent === undefined
    const index = this.isolates.length
    this.#indices.set(isolate, index)
    const place = `isolate ${index}`
    this.isolates.push({
      kind: isProcess ? 'process' : 'worker',
      number: isProcess ? ++this.#processes : isolate.id,
      file: basename(file),
      ...(name === undefined ? {} : { name }),
      parent: this.indexOf(this.#host.causality.isolate),
      place,
    })
    this.#host.capture(place)
  }

  /** A worker has its file and its name only after the first messages to it. */
  isNamed(isolate: Isolate, file: string, name?: string): void {
    const index = this.indexOf(isolate)
    this.isolates[index] = { ...this.isolates[index]!, file: basename(file), ...(name === undefined ? {} : { name }) }
  }

  /** Its place among the isolates; the body's stands for those that are not known. */
  indexOf(isolate: Isolate): number {
    return this.#indices.get(isolate) ?? 0
  }

  makes({ label }: Step): void {
    const maker = this.indexOf(this.#host.causality.isolate)
    if (maker !== 0 && this.makers.size < MAX_STEPS) this.makers.set(label, maker)
  }

  runs({ label }: Step, isolate: Isolate): void {
    const runner = this.indexOf(isolate)
    const isKnown = (this.makers.get(label) ?? 0) === runner
    if (!isKnown && this.runners.size < MAX_STEPS) this.runners.set(label, runner)
  }

  /**
   * Something is sent, and arrives as a step. @param content undefined for what Node says to itself
   *
   * @param to whose it is to receive; undefined where nobody has the port
   */
  sends({ label }: Step, content: Content | undefined, to: Isolate | undefined, from?: Isolate): void {
    if (content === undefined) this.routine.add(label)
    else
      this.passed.set(label, {
        what: content.what,
        text: cut(this.#host.relative(content.text), MAX_TEXT),
        from: this.indexOf(from ?? this.#host.causality.isolate),
        to: to && this.indexOf(to),
        sentIn: this.#host.causality.current.label,
      })
  }

  /** The running step takes something out of a queue: as its own arrival, or beside it. */
  receives(step: Step): void {
    if (step !== this.#host.causality.current && this.passed.has(step.label)) this.#host.noted('receive', step)
  }

  terminates(isolate: Isolate): void {
    this.#host.noted('terminate', { label: `${this.indexOf(isolate)}` })
  }

  isRoutine({ label }: Step): void {
    this.routine.add(label)
  }
}
