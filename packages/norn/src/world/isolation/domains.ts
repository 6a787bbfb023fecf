/**
 * Gives each execution, and each isolate in it, a `node:domain` of its own: the module patches `process` and the
 * emitters when it is evaluated, and keeps a stack of domains and an asynchronous hook.
 *
 * The source comes with Node. It is compiled once, and evaluated when a program first asks for the module.
 *
 * Invariants: programs get one object in all executions, which has what the module of the running isolate exports.
 * After an execution the process is as if the module had never been loaded.
 */
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { compileFunction } from 'node:vm'
import { hostRequire, internalBinding, requireInternal, sourceOfInternal } from '../../loader/internals.ts'
import type { Hooks, Interceptor } from '../loop/interceptor.ts'
import type { Activity } from '../realm/replace.ts'

export interface DomainsHost extends Activity {
  /** Called before something changes that a module may see which loads later. */
  affecting(): void
}

export interface Domains {
  /** What programs get. */
  readonly exports: object
  /** Evaluates the module unless the running isolate has done so; throws what Node's throws. */
  load(): void
}

type Evaluate = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: object },
  process: NodeJS.Process,
  internalBinding: unknown,
  primordials: unknown,
) => void

const NAMES = ['_stack', 'Domain', 'createDomain', 'create', 'active']

const PARAMETERS = ['exports', 'require', 'module', 'process', 'internalBinding', 'primordials']

/** What the module replaces; listeners and hooks are put back with all others. */
const REPLACED: readonly (readonly [object: object, names: readonly string[]])[] = [
  [EventEmitter, ['init', 'usingDomains']],
  [EventEmitter.prototype, ['emit']],
  [process, ['domain', 'setUncaughtExceptionCaptureCallback']],
]

export const domains: Interceptor<DomainsHost, { readonly domains: Domains }> = {
  name: 'node:domain',
  builtins: { domain: { is: 'plain' } },
  install: interceptDomains,
}

function interceptDomains(host: DomainsHost): Hooks<{ readonly domains: Domains }> {
  const before = REPLACED.flatMap(([object, names]) =>
    names.map((name) => [object, name, Object.getOwnPropertyDescriptor(object, name)!] as const),
  )
  const exports: Record<string, unknown> = {}
  let evaluate: Evaluate | undefined
  let isLoaded = false
  /** Whether the execution has patched the process, be it in vain. */
  let hasPatched = false

  const clear = () => {
    for (const name of Object.keys(exports)) delete exports[name]
  }
  const load = () => {
    if (isLoaded || !host.active()) return
    host.affecting()
    evaluate ??= compiled()
    hasPatched = true
    clear()
    try {
      const { primordials } = requireInternal('internal/test/binding')
      evaluate(exports, hostRequire, { exports }, process, internalBinding, primordials)
      isLoaded = true
    } finally {
      if (!isLoaded) unload()
    }
  }
  /** A module that executions share is not evaluated again, and so does not ask again: it reads what it has got. */
  const unload = () => {
    isLoaded = false
    clear()
    for (const name of NAMES) {
      const get = () => {
        load()
        return isLoaded ? exports[name] : undefined
      }
      Object.defineProperty(exports, name, { get, configurable: true, enumerable: true })
    }
  }
  unload()
  return {
    provides: { domains: { exports, load } },
    leave() {
      if (!hasPatched) return
      hasPatched = false
      unload()
      for (const [object, name, descriptor] of before) Object.defineProperty(object, name, descriptor)
      requireInternal('internal/async_hooks').useDomainTrampoline(undefined)
    },
    apart: {
      take() {
        if (!isLoaded) return undefined
        const kept = { ...exports }
        unload()
        return kept
      },
      put(kept: object | undefined) {
        if (kept === undefined) return
        clear()
        Object.assign(exports, kept)
        isLoaded = true
      },
    },
  }
}

function compiled(): Evaluate {
  return compileFunction(sourceOfInternal('domain')!, PARAMETERS, { filename: 'node:domain' }) as Evaluate
}
