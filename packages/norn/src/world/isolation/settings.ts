/**
 * Puts back the settings of Node's library that functions change and variables of its modules keep: what an execution
 * sets does not hold in the next.
 */
import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'

export interface SettingsHost extends Activity {
  /** Called before something changes that a module may see which loads later. */
  affecting(): void
}

type Values = readonly unknown[]
type Library = Record<string, (...values: Values) => unknown>

interface Setter {
  readonly of: string
  readonly name: string
  /** The values with which a call sets what there is now, before one with the given values. */
  readonly now: (library: Library, given: Values) => Values
}

/** A setter of one value, which a function of its name returns. */
const setter = (of: string, what: string): Setter => ({
  of,
  name: `set${what}`,
  now: (library) => [library[`get${what}`]!()],
})

/** One that takes first which of its values it sets. */
const keyed = (of: string, what: string): Setter => ({
  of,
  name: `set${what}`,
  now: (library, [key]) => [key, library[`get${what}`]!(key)],
})

const SETTERS: readonly Setter[] = [
  setter('net', 'DefaultAutoSelectFamily'),
  setter('net', 'DefaultAutoSelectFamilyAttemptTimeout'),
  keyed('stream', 'DefaultHighWaterMark'),
  setter('dns', 'DefaultResultOrder'),
  setter('dns', 'Servers'),
  setter('dns/promises', 'DefaultResultOrder'),
  setter('dns/promises', 'Servers'),
  keyed('worker_threads', 'EnvironmentData'),
  { of: 'http', name: 'setMaxIdleHTTPParsers', now: () => [idleParsers().max] },
]

function idleParsers(): { readonly max: number } {
  return requireInternal<{ parsers: { readonly max: number } }>('_http_common').parsers
}

export const settings: Interceptor<SettingsHost> = {
  name: 'settings of the library',
  install: (host) => ({ leave: interceptSettings(host) }),
}

/** Returns a function that undoes what was set since its last call. */
function interceptSettings(host: SettingsHost): () => void {
  const undo: (() => void)[] = []
  for (const { of, name, now } of SETTERS) {
    const library = requireInternal<Library>(`node:${of}`)
    const real = library[name]!
    const mine = function (this: unknown, ...given: Values): unknown {
      if (!host.active()) return Reflect.apply(real, this, given)
      const before = now(library, given)
      const result = Reflect.apply(real, this, given)
      host.affecting()
      undo.push(() => void Reflect.apply(real, library, before))
      return result
    }
    Object.defineProperty(mine, 'name', { value: name })
    Object.defineProperty(mine, 'length', { value: real.length })
    define(library, name, mine)
  }
  return () => {
    while (undo.length > 0) undo.pop()!()
  }
}
