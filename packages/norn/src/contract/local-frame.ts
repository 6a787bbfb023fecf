/** The variables of a call, as a debugger shows them. */
import type { Frame } from './execution.ts'

export interface LocalFrame {
  readonly frame: Frame
  /** Name and value as text, innermost scope first. */
  readonly variables: readonly (readonly [name: string, value: string])[]
}
