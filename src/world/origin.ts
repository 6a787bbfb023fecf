/**
 * Where operations were started: the source line, for the execution that is shown to a person.
 *
 * Capturing a stack costs microseconds, so this is off while searching.
 */
import { stackHere } from './language.ts'
import { callSites } from './stack.ts'

export interface Origin {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly functionName: string
}

export class Origins {
  readonly byLabel = new Map<string, Origin>()
  #on = false

  reset(on: boolean): void {
    this.#on = on
    if (this.byLabel.size > 0) this.byLabel.clear()
  }

  /** Notes the innermost frame that is neither Node's nor norn's as the origin of a step. */
  capture(label: string): void {
    if (!this.#on) return
    const frame = callSites(stackHere())[0]
    if (frame !== undefined) this.byLabel.set(label, frame)
  }
}
