/**
 * A property: a name, arbitraries for its inputs, and a body that must not fail for any input under any schedule.
 *
 * A file of properties declares them while it is evaluated; whoever evaluates it collects what was declared.
 */
import type fc from 'fast-check'
import type { FaultBudgets } from '../world/faults.ts'
import { fullTitle, hasHooks, modeOf, type Suite, SuiteCollection, type Test, withHooks } from './suites.ts'

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
  /** The test of a framework that it was made of: whether it is a property shows when it runs. */
  readonly test?: Pick<Test, 'excluded' | 'text'>
  /** Whether it asserts a property for certain: it was declared by doing so. */
  readonly asserted?: true
  /** What it simulates, if it does: then its schedule is one of named steps, and is searched and shrunk as such. */
  readonly kind?: 'cluster'
}

/** What one evaluation of a file declares. */
export interface Collection {
  readonly properties: Property[]
  /** The suite around each property. */
  readonly around: Suite[]
  readonly suites: SuiteCollection
  /** How many properties the file has asserted outside of any test. */
  asserted: number
}

let collecting: Collection | undefined
let evaluations = 0

/** How often a file of properties has been evaluated in this process: tells one set of fresh modules from the next. */
export function evaluation(): number {
  return evaluations
}

/** The evaluation that is under way; undefined while a body runs. */
export function currentCollection(): Collection | undefined {
  return collecting
}

/**
 * Evaluates something that declares properties; `finish` gives those declared since, and the tests of frameworks behind
 * them. Where a suite declares its tests asynchronously, `settled` gives what to wait for first.
 */
export function collectProperties(): { settled(): Promise<unknown> | undefined; finish(): readonly Property[] } {
  const mine: Collection = { properties: [], around: [], suites: new SuiteCollection(), asserted: 0 }
  collecting = mine
  evaluations++
  return {
    settled: () => mine.suites.settled(),
    finish() {
      if (collecting === mine) collecting = undefined
      const declared = mine.properties.map((each, index) => inSuite(each, mine.around[index]!))
      return [...declared, ...mine.suites.tests.map(asProperty)]
    },
  }
}

function asProperty(test: Test): Property {
  const mode = modeOf(test)
  return {
    name: test.name,
    inputs: {},
    body: () => withHooks(test.suite, test.body),
    options: {},
    mode: mode === 'todo' ? 'skip' : mode,
    test,
  }
}

/** A property as it is run: with the hooks of the suites around it, and only if they are. */
function inSuite(property: Property, suite: Suite): Property {
  // Files of properties hardly have suites, and each execution comes by here.
  const hooked = hasHooks(suite)
  if (suite.parent === undefined && !hooked) return property
  const mode = modeOf({ mode: property.mode, suite })
  const { body } = property
  return {
    ...property,
    mode: mode === 'todo' ? 'skip' : mode,
    body: hooked ? (inputs) => withHooks(suite, () => body(inputs)) : body,
  }
}

export function declare(declared: Property): void {
  if (collecting === undefined) {
    const form = declared.kind ?? 'fuzz'
    throw new Error(
      `${form}('${declared.name}') was called outside a file of properties. Run the file: npx norn fuzz FILE; or, in a file of tests, import ${form} from 'norn/vitest' or 'norn/node-test'`,
    )
  }
  const { properties, around, suites } = collecting
  const property = { ...declared, name: fullTitle(suites.current, declared.name) }
  if (properties.some((other) => other.name === property.name)) {
    throw new Error(`two properties are called '${property.name}': a name must be unique in its file`)
  }
  properties.push(property)
  around.push(suites.current)
}
