/** The `fuzz` of a test runner: in every form it has, its name is registered as a test, and the rest is left to norn. */
import type { Fuzz } from '../property/fuzz.ts'

export type Register = (name: string) => void

export function registeredFuzz(forms: Readonly<Record<'run' | 'skip' | 'only', Register>>): Fuzz {
  const { run, skip, only } = forms
  const named = (register: Register) => (name: string) => {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('fuzz(name, inputs, body): the name must be a text that is not empty')
    register(name)
  }
  const fuzz = () => Object.assign(named(run), { skip: named(skip), only: named(only) })
  return Object.assign(fuzz(), { property: fuzz() })
}
