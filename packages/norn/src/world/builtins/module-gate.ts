/**
 * Intercepts access to builtin modules: unlisted modules, and those that are uncontrolled as a
 * whole, make the execution inconclusive; node:test is gated when it loads. The table is
 * ../builtins.ts.
 */
import { requireInternal } from '../../loader/internals.ts'
import type { BuiltinGate, ModuleGraph } from '../../loader/resolve.ts'
import { isRefused } from '../builtins.ts'
import { type Control, define, refusing } from '../realm/replace.ts'

type Holder = Record<string, unknown>

export interface InterceptedBuiltins extends BuiltinGate {
  /** The modules of the body. */
  main(): ModuleGraph | undefined
  /** Instantiates the program's modules once more; undefined without a loader. */
  instantiate(): ModuleGraph | undefined
}

/** @param replacements what programs get in place of modules, by name */
export function interceptBuiltins(host: Control, replacements: Readonly<Record<string, object>>): InterceptedBuiltins {
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
      if (host.active() && isRefused(id)) host.refuse(`node:${id}`)
    },
  }
  const { getBuiltinModule } = process
  define(process, 'getBuiltinModule', (id: string) => {
    const name = typeof id === 'string' ? id.replace(/^node:/, '') : ''
    if (host.active()) gate.prepare(name)
    const found = getBuiltinModule(id)
    if (found === undefined || !host.active()) return found
    gate.admit(name)
    return replacements[name] ?? provided.get(name)?.() ?? found
  })
  return gate
}

function gateTestRunner(host: Control): void {
  const harness = requireInternal<Holder>('internal/test_runner/harness')
  const runner = requireInternal<Holder>('internal/test_runner/runner')
  for (const name of ['test', 'suite', 'before', 'after', 'beforeEach', 'afterEach']) {
    const real = harness[name] as Function & Holder
    for (const variant of Object.keys(real)) {
      const way = real[variant]
      if (typeof way === 'function') real[variant] = refusing(host, `node:test ${name}.${variant}`, way)
    }
    harness[name] = refusing(host, `node:test ${name}`, real)
  }
  runner.run = refusing(host, 'node:test run', runner.run as Function)
}
