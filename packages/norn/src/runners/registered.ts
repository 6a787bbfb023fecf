/**
 * The `fuzz` and `cluster` of a test runner: in every form they have, the name is registered as a
 * test, and the rest is left to norn.
 */
import { checkName, checkOptions } from '../cluster/check-options.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ClusterOptions } from '../cluster/definition.ts'
import type { Fuzz } from '../property/fuzz.ts'

type Register = (name: string) => void

export type Forms = Readonly<Record<'run' | 'skip' | 'only', Register>>

export function registeredFuzz({ run, skip, only }: Forms): Fuzz {
  const named = (register: Register) => (name: string) => {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('fuzz(name, inputs, body): name must be a non-empty string')
    register(name)
  }
  const fuzz = () => Object.assign(named(run), { skip: named(skip), only: named(only) })
  return Object.assign(fuzz(), { property: fuzz() })
}

export function registeredCluster({ run, skip, only }: Forms): Cluster {
  const named =
    (register: Register) =>
    <Request>(name: string, options: ClusterOptions<Request>) => {
      checkName(name)
      checkOptions(name, options)
      register(name)
    }
  return Object.assign(named(run), { skip: named(skip), only: named(only) })
}
