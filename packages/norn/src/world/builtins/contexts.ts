/**
 * Intercepts the globals of `node:vm` contexts: each has its own `Date`, `Intl` and `Math.random`.
 */

import vm from 'node:vm'
import type { ChanceHost } from '../crypto/random.ts'
import { interceptRandom } from '../crypto/random.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { define } from '../realm/replace.ts'
import { type ClockHost, interceptClockOf } from '../time/clock.ts'

type Contexts = Pick<typeof vm, 'createContext' | 'runInNewContext'>

export const contexts: Interceptor<ClockHost & ChanceHost> = {
  name: 'node:vm',
  builtins: {
    vm: {
      controlled: 'Script createContext createScript runInContext runInNewContext runInThisContext compileFunction',
      uncontrolled: 'measureMemory',
      plain: 'isContext',
      note: 'In a new context `Date`, `Intl` and `Math.random` are controlled too.',
    },
  },
  install: interceptContexts,
}

function interceptContexts(host: ClockHost & ChanceHost): void {
  const { createContext, runInNewContext } = vm
  const { runInNewContext: runScript, runInContext } = vm.Script.prototype

  const create = ((object?: vm.Context, options?: vm.CreateContextOptions) => {
    const isNew = typeof object !== 'object' || !vm.isContext(object)
    const context = Reflect.apply(createContext, vm, object === undefined ? [] : [object, options])
    if (host.active() && isNew) furnish(context)
    return context
  }) as Contexts['createContext']

  const furnish = (context: vm.Context) => {
    const realm = vm.runInContext('globalThis', context) as typeof globalThis
    // The program may supply its own.
    if (Object.hasOwn(context, 'Date') || Object.hasOwn(context, 'Math') || Object.hasOwn(context, 'Intl')) return
    interceptClockOf(host, realm)
    interceptRandom(host, realm.Math)
  }

  define(vm, 'createContext', create)
  define(vm, 'runInNewContext', (code: string, object?: vm.Context, options?: vm.RunningCodeInNewContextOptions) => {
    if (!host.active()) return Reflect.apply(runInNewContext, vm, [code, object, options])
    return vm.runInContext(code, create(object, contextOptions(options)), options)
  })
  define(vm.Script.prototype, 'runInNewContext', function (this: vm.Script, object?: vm.Context, options?: object) {
    if (!host.active()) return Reflect.apply(runScript, this, [object, options])
    return Reflect.apply(runInContext, this, [create(object, contextOptions(options)), options])
  })
}

/**
 * Maps the options of functions that create a context and run in it to those of `createContext`.
 */
function contextOptions(options: unknown): vm.CreateContextOptions | undefined {
  if (typeof options !== 'object' || options === null) return undefined
  const { contextName, contextOrigin, contextCodeGeneration, microtaskMode } = options as Record<string, never>
  return {
    ...(contextName === undefined ? {} : { name: contextName }),
    ...(contextOrigin === undefined ? {} : { origin: contextOrigin }),
    ...(contextCodeGeneration === undefined ? {} : { codeGeneration: contextCodeGeneration }),
    ...(microtaskMode === undefined ? {} : { microtaskMode }),
  }
}
