/**
 * Puts back the settings of Node's library that functions change and variables of its modules keep: what an execution
 * sets does not hold in the next, nor what a thread or a child sets in another isolate.
 */
import { requireInternal } from '../../loader/internals.ts'
import type { Apart, Interceptor } from '../loop/interceptor.ts'
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
  { of: 'tls', name: 'setDefaultCACertificates', now: (library) => [library.getCACertificates!('default')] },
  { of: 'http', name: 'setMaxIdleHTTPParsers', now: () => [idleParsers().max] },
]

function idleParsers(): { readonly max: number } {
  return requireInternal<{ parsers: { readonly max: number } }>('_http_common').parsers
}

export const settings: Interceptor<SettingsHost> = {
  name: 'settings of the library',
  install: (host) => {
    const apart = interceptSettings(host)
    return { leave: () => void apart.take(), apart }
  },
}

/** What was set: a call that undoes it, and one that does it again. */
interface Change {
  undo(): void
  redo(): void
}

/** Takes what was set since; a list of changes, undefined if nothing was. */
function interceptSettings(host: SettingsHost): Apart {
  let changes: Change[] = []
  for (const { of, name, now } of SETTERS) {
    const library = requireInternal<Library>(`node:${of}`)
    const real = library[name]
    // Older versions of Node lack some.
    if (real === undefined) continue
    const mine = function (this: unknown, ...given: Values): unknown {
      if (!host.active()) return Reflect.apply(real, this, given)
      const before = now(library, given)
      const result = Reflect.apply(real, this, given)
      host.affecting()
      const set = (values: Values) => () => void Reflect.apply(real, library, values)
      changes.push({ undo: set(before), redo: set(given) })
      return result
    }
    Object.defineProperty(mine, 'name', { value: name })
    Object.defineProperty(mine, 'length', { value: real.length })
    define(library, name, mine)
  }
  return {
    take() {
      if (changes.length === 0) return undefined
      const taken = changes
      changes = []
      for (let at = taken.length - 1; at >= 0; at--) taken[at]!.undo()
      return taken
    },
    put(taken) {
      changes = (taken as Change[] | undefined) ?? []
      for (const { redo } of changes) redo()
    },
  }
}
