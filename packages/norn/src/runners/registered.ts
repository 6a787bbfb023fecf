/** The `fuzz` and `cluster` of a test runner: register a test by its name; norn's process does the rest. */
import { checkName, checkOptions } from '../cluster/check-options.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ClusterOptions } from '../cluster/definition.ts'
import type { SearchLimits } from '../options/table.ts'
import { checkOptions as checkPropertyOptions } from '../property/check-options.ts'
import type { Fuzz } from '../property/fuzz.ts'
import { propertyTimeoutMs } from './run-property.ts'

/** Registers a test; the limits decide how long the runner waits for it. */
type Register = (name: string, limits: SearchLimits) => void

type Forms = Readonly<Record<'run' | 'skip' | 'only', Register>>

interface TestOptions {
  readonly timeout?: number
  readonly skip?: true
  readonly only?: true
}

/**
 * The `fuzz` and `cluster` of a runner.
 *
 * @param test declares a test of the runner, whose body runs the session of the property
 */
export function registered(test: (name: string, options: TestOptions) => void): { fuzz: Fuzz; cluster: Cluster } {
  const forms: Forms = {
    run: (name, limits) => test(name, { timeout: propertyTimeoutMs(limits) }),
    skip: (name) => test(name, { skip: true }),
    only: (name, limits) => test(name, { timeout: propertyTimeoutMs(limits), only: true }),
  }
  return { fuzz: registeredFuzz(forms), cluster: registeredCluster(forms) }
}

function registeredFuzz({ run, skip, only }: Forms): Fuzz {
  const named = (register: Register, name: string, options: SearchLimits = {}) => {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('fuzz(name, inputs, body): name must be a non-empty string')
    checkPropertyOptions(name, options)
    register(name, options)
  }
  const fuzz =
    (register: Register) =>
    (name: string, _inputs: unknown, _body: unknown, options?: SearchLimits): void =>
      named(register, name, options)
  const property =
    (register: Register) =>
    (name: string, _property: unknown, options?: SearchLimits): void =>
      named(register, name, options)
  return Object.assign(fuzz(run), {
    skip: fuzz(skip),
    only: fuzz(only),
    property: Object.assign(property(run), { skip: property(skip), only: property(only) }),
  })
}

function registeredCluster({ run, skip, only }: Forms): Cluster {
  const named =
    (register: Register) =>
    <Request, State>(name: string, options: ClusterOptions<Request, State>) => {
      checkName(name)
      checkOptions(name, options)
      register(name, options)
    }
  return Object.assign(named(run), { skip: named(skip), only: named(only) })
}
