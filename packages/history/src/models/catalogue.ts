/** The models that come with the package, by name. */
import type { BuiltInModel } from './built-in.ts'
import { counter } from './counter.ts'
import { keyValue } from './key-value.ts'
import { mutex } from './mutex.ts'
import { queue, stack } from './queue.ts'
import { casRegister, register } from './register.ts'
import { set } from './set.ts'

export type ModelName = 'register' | 'cas-register' | 'counter' | 'set' | 'queue' | 'stack' | 'kv' | 'mutex'

// biome-ignore lint/suspicious/noExplicitAny: each has types of its own, which a log does not know.
export const MODELS: Readonly<Record<ModelName, BuiltInModel<any, any, any>>> = {
  register: register(),
  'cas-register': casRegister(),
  counter: counter(),
  set: set(),
  queue: queue(),
  stack: stack(),
  kv: keyValue(),
  mutex: mutex(),
}
