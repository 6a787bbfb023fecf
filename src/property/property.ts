/**
 * A property: a name, arbitraries for its inputs, and a body that must not fail for any input under any schedule.
 *
 * A file of properties declares them while it is evaluated; whoever evaluates it collects what was declared.
 */
import type fc from 'fast-check'
import type { FaultBudgets } from '../world/faults.ts'

export type Arbitraries<Inputs> = { readonly [Name in keyof Inputs]: fc.Arbitrary<Inputs[Name]> }

export type Body<Inputs> = (inputs: Inputs) => unknown

export interface PropertyOptions<Inputs = Record<string, unknown>> {
  /** Inputs written by hand; each is run under several schedules before any is generated. */
  readonly examples?: readonly Inputs[]
  /** How late anything can be, in milliseconds of virtual time; 20 unless set. */
  readonly latenessMs?: number
  /** Steps of the loop before the body counts as making no progress; 20,000 unless set. */
  readonly maxSteps?: number
  /** Virtual time before the body counts as making no progress, in milliseconds; a day unless set. */
  readonly maxVirtualMs?: number
  /**
   * Lets operations fail as they can on Linux: `{ fs: 2 }` is at most two faults of the file system in an execution (EIO,
   * ENOSPC, EMFILE, EACCES, short reads and short writes). None unless set.
   */
  readonly faults?: FaultBudgets
  /** Labels of `note`s that some execution has to reach; one that none reaches leaves the property undecided. */
  readonly required?: readonly string[]
}

export interface Property {
  readonly name: string
  readonly inputs: Arbitraries<Record<string, unknown>>
  readonly body: Body<Record<string, unknown>>
  readonly options: PropertyOptions
  readonly mode: 'run' | 'skip' | 'only'
}

let collecting: Property[] | undefined

/** Evaluates something that declares properties; `finish` gives those declared since. */
export function collectProperties(): { finish(): readonly Property[] } {
  const mine: Property[] = []
  collecting = mine
  return {
    finish() {
      if (collecting === mine) collecting = undefined
      return mine
    },
  }
}

export function declare(property: Property): void {
  if (collecting === undefined) {
    throw new Error(
      `fuzz('${property.name}') was called outside a file of properties. Run the file: npx norn fuzz FILE`,
    )
  }
  if (collecting.some((other) => other.name === property.name)) {
    throw new Error(`two properties are called '${property.name}': a name must be unique in its file`)
  }
  collecting.push(property)
}
