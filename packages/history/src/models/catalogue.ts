/** The models that come with the package, by name. */
import { counter } from './counter.ts'
import type { ModelName } from './inputs.ts'
import { keyValue } from './key-value.ts'
import type { ObjectModel } from './model.ts'
import { mutex } from './mutex.ts'
import { queue, stack } from './queue.ts'
import { casRegister, register } from './register.ts'
import { set } from './set.ts'

/**
 * The sequential specifications of common objects, by name.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: each has types of its own, which a log does not know.
export const MODELS: Readonly<Record<ModelName, ObjectModel<any, any, any>>> = {
  register: register(),
  'cas-register': casRegister(),
  counter: counter(),
  set: set(),
  queue: queue(),
  stack: stack(),
  kv: keyValue(),
  mutex: mutex(),
}
