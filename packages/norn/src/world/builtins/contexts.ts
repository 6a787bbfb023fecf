/**
 * Intercepts the globals of `node:vm` contexts: each has its own `Date`, `Intl` and `Math.random`.
 */

import vm from 'node:vm'
import type { ChanceHost } from '../crypto/random.ts'
import { interceptRandom } from '../crypto/random.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Control, define } from '../realm/replace.ts'
import { type ClockHost, interceptClockOf } from '../time/clock.ts'

type Contexts = Pick<typeof vm, 'createContext' | 'runInNewContext'>

export const contexts: Interceptor<ClockHost & ChanceHost & Control> = {
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

function interceptContexts(host: ClockHost & ChanceHost & Control): void {
  const { createContext, runInNewContext } = vm
  const { runInNewContext: runScript, runInThisContext, runInContext } = vm.Script.prototype

  const furnish = (context: vm.Context) => {
    const realm = vm.runInContext('globalThis', context) as typeof globalThis
    if (suppliesOwn(context)) return
    interceptClockOf(host, realm)
    interceptRandom(host, realm.Math)
  }
  const create = function (...args: [object?: vm.Context, options?: vm.CreateContextOptions]) {
    const [object] = args
    const isNew = typeof object !== 'object' || !vm.isContext(object)
    const context = Reflect.apply(createContext, vm, args)
    if (host.active() && isNew) furnish(context)
    return context
  } as Contexts['createContext']

  define(vm, 'createContext', create)
  define(
    vm,
    'runInNewContext',
    function (code: string, object?: vm.Context, options?: vm.RunningCodeInNewContextOptions) {
      // Node names what is wrong with the options.
      if (!host.active() || !isValid(options)) return Reflect.apply(runInNewContext, vm, [code, object, options])
      return vm.runInContext(code, create(object, contextOptions(options)), options)
    },
  )
  define(vm.Script.prototype, 'runInNewContext', function (this: vm.Script, object?: vm.Context, options?: object) {
    if (!host.active() || !isValid(options)) return Reflect.apply(runScript, this, [object, options])
    return this.runInContext(create(object, contextOptions(options)), options)
  })
  const interruptible = (name: string, real: Function, at: number) =>
    define(vm.Script.prototype, name, function (this: vm.Script, ...args: unknown[]) {
      const options = args[at] as vm.RunningScriptOptions | undefined
      if (host.active() && options?.breakOnSigint === true) return host.refuse(`vm.Script ${name} with breakOnSigint`)
      return Reflect.apply(real, this, args)
    })
  interruptible('runInThisContext', runInThisContext, 0)
  interruptible('runInContext', runInContext, 1)
}

/** Whether a program has its own of what would be replaced; an object of it that cannot be asked has. */
function suppliesOwn(context: vm.Context): boolean {
  try {
    return ['Date', 'Math', 'Intl'].some((name) => Object.hasOwn(context, name))
  } catch {
    return true
  }
}

const TEXTS = ['contextName', 'contextOrigin']

function isValid(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return options === undefined
  return TEXTS.every((name) => ['undefined', 'string'].includes(typeof (options as Record<string, unknown>)[name]))
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
