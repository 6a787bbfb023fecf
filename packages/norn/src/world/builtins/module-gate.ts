/**
 * Intercepts access to builtin modules: unlisted modules, and those that are uncontrolled as a
 * whole, make the execution inconclusive; node:test is gated when it loads. The table is
 * ../builtins.ts.
 */

import { requireInternal } from '../../loader/internals.ts'
import { isInternal } from '../../loader/node-internals.ts'
import type { BuiltinGate, ModuleGraph } from '../../loader/resolve.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Control, define, refusing } from '../realm/replace.ts'

type AnyObject = Record<string, unknown>

export interface ModuleGateHost extends Control {
  /** Whether the import of a builtin alone makes an execution inconclusive. */
  isRefused(id: string): boolean
  readonly cluster: { readonly exports: object }
  readonly domains: { readonly exports: object; load(): void }
}

export interface InterceptedBuiltins extends BuiltinGate {
  /** The modules of the body. */
  main(): ModuleGraph | undefined
  /** Instantiates the program's modules once more; undefined without a loader. */
  instantiate(): ModuleGraph | undefined
}

export const moduleGate: Interceptor<ModuleGateHost, { readonly builtins: InterceptedBuiltins }> = {
  name: 'access to builtins',
  builtins: {
    test: {
      uncontrolled: 'run',
      plain: 'test it describe suite before after beforeEach afterEach skip todo only expectFailure getTestContext',
      note:
        'Norn collects tests in place of its runner; a body cannot declare tests. `mock` and `assert` work, except ' +
        '`mock.module`, which is uncontrolled.',
    },
  },
  install: (host) => {
    const builtins = interceptBuiltins(host)
    return { provides: { builtins } }
  },
}

function interceptBuiltins(host: ModuleGateHost): InterceptedBuiltins {
  /** What programs get in place of modules, by name. */
  const replacements: Readonly<Record<string, object>> = {
    cluster: host.cluster.exports,
    domain: host.domains.exports,
  }
  let isRunnerGated = false
  const provided = new Map<string, () => object>()
  let graphs: { readonly main: ModuleGraph; readonly another: () => ModuleGraph } | undefined
  const gate: InterceptedBuiltins = {
    graphs(main, another) {
      graphs = { main, another }
    },
    main: () => graphs?.main,
    instantiate: () => graphs?.another(),
    prepare(id) {
      // node:test captures its functions when it loads, and loads slowly.
      if (id !== 'test' || isRunnerGated) return
      isRunnerGated = true
      gateTestRunner(host)
    },
    provide: (id, get) => void provided.set(id, get),
    replacement: (id) => replacements[id],
    admit(id) {
      if (host.active() && host.isRefused(id)) host.refuse(`node:${id}`)
      if (id === 'domain') host.domains.load()
    },
  }
  const { getBuiltinModule } = process
  define(process, 'getBuiltinModule', (id: string) => {
    const name = typeof id === 'string' ? id.replace(/^node:/, '') : ''
    if (host.active() && isInternal(id)) return undefined
    if (host.active()) gate.prepare(name)
    const found = getBuiltinModule(id)
    if (found === undefined || !host.active()) return found
    gate.admit(name)
    return replacements[name] ?? provided.get(name)?.() ?? found
  })
  return gate
}

function gateTestRunner(host: Control): void {
  const harness = requireInternal<AnyObject>('internal/test_runner/harness')
  const runner = requireInternal<AnyObject>('internal/test_runner/runner')
  for (const name of ['test', 'suite', 'before', 'after', 'beforeEach', 'afterEach']) {
    const real = harness[name] as Function & AnyObject
    for (const variant of Object.keys(real)) {
      const way = real[variant]
      if (typeof way === 'function') real[variant] = refusing(host, `node:test ${name}.${variant}`, way)
    }
    harness[name] = refusing(host, `node:test ${name}`, real)
  }
  runner.run = refusing(host, 'node:test run', runner.run as Function)
}
