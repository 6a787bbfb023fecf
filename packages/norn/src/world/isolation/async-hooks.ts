/**
 * Async hooks: those that an execution enables end with it, or when its process exits, each thread has its own, and
 * they learn of destroyed resources in the check phase.
 *
 * Follows `AsyncWrap::EmitDestroy` (src/async_wrap.cc): ids are collected, and an immediate that keeps
 * no loop alive passes them on. C++ would set it on the real loop. Objects that only the garbage
 * collector destroys are told to nobody: when it runs is no part of the program. A hook that throws ends
 * the process, as in Node (`fatalError` of lib/internal/async_hooks.js), and never throws into C++, which aborts.
 */
import { createHook } from 'node:async_hooks'
import process from 'node:process'
import { inspect } from 'node:util'
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { AsyncHandles } from '../loop/async-handles.ts'
import type { Causality } from '../loop/causality.ts'
import type { Hooks, Interceptor } from '../loop/interceptor.ts'
import { isTermination } from '../realm/ending.ts'
import { type Activity, define } from '../realm/replace.ts'
import type { PromiseHooks } from './promise-hooks.ts'

export interface AsyncHooksHost extends Activity {
  readonly handles: AsyncHandles
  readonly causality: Causality
  readonly promiseHooks: PromiseHooks
  /** Called before something changes that a module may see which loads later. */
  affecting(): void
}

/** The state of Node's module that hooks change. */
interface HookState {
  readonly hooks: readonly object[]
  /** How many of them have each function, and all functions. */
  readonly counts: readonly number[]
}

interface Kept extends HookState {
  readonly ids: number[]
}

/** What Node keeps of a hook. */
type Hook = Record<symbol, unknown> & { disable(): void }
type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

interface Internal {
  getHookArrays(): [hooks: object[], fields: Uint32Array]
  enableHooks(): void
  disableHooks(): void
  updatePromiseHookMode(): void
  readonly nativeHooks: { destroy(asyncId: number): void }
  readonly asyncWrap: { readonly Providers: Readonly<Record<string, number>> }
  readonly symbols: { readonly init_symbol: symbol }
}

export interface AsyncHooks {
  /** The process exits: no hook is called any more. */
  end(): void
}

const internal = requireInternal<Internal>('internal/async_hooks')
const { init_symbol: INIT } = internal.symbols

export const asyncHooks: Interceptor<AsyncHooksHost, { readonly asyncHooks: AsyncHooks }> = {
  name: 'async hooks',
  builtins: {
    async_hooks: {
      is: 'controlled',
      note: 'Norn disables enabled hooks after the execution. What only the garbage collector destroys is not told.',
    },
  },
  install: interceptAsyncHooks,
}

function interceptAsyncHooks(host: AsyncHooksHost): Hooks<{ readonly asyncHooks: AsyncHooks }> {
  const binding = internalBinding('async_wrap')
  const { kInit, kTotals, kCheck } = binding.constants as Record<'kInit' | 'kTotals' | 'kCheck', number>
  /** Those that are called now, also while `getHookArrays` gives those of the next call. */
  const fields = binding.async_hook_fields as Uint32Array
  /** What there was before the first hook of the execution, and whether Node checks contexts. */
  let before: (HookState & { readonly check: number }) | undefined
  const guards = new WeakSet<Function>()
  /** Ids that the hooks of the running isolate have yet to learn of. */
  let ids: number[] = []

  const state = (): HookState => {
    const [hooks, counts] = internal.getHookArrays()
    return { hooks: [...hooks], counts: [...counts].slice(kInit, kTotals + 1) }
  }
  const set = ({ hooks, counts }: HookState) => {
    const [array] = internal.getHookArrays()
    array.length = 0
    array.push(...hooks)
    counts.forEach((count, at) => {
      fields[kInit + at] = count
    })
    if (hooks.length === 0) return internal.disableHooks()
    internal.enableHooks()
    internal.updatePromiseHookMode()
  }
  /** No hook is called; also none of those that a hook has enabled or disabled which then threw. */
  const clear = () => {
    internal.getHookArrays()[0].length = 0
    internal.nativeHooks.destroy(0)
    internal.getHookArrays()[0].length = 0
    fields.fill(0, kInit, kTotals + 1)
  }

  const prototype = Object.getPrototypeOf(createHook({}))
  const { enable } = prototype
  const { enable: mine } = {
    enable(this: Hook) {
      if (host.active()) {
        host.affecting()
        before ??= { ...state(), check: fields[kCheck]! }
        const init = this[INIT]
        if (typeof init === 'function' && !guards.has(init)) {
          const guard = guarded(init as Init)
          this[INIT] = guard
          guards.add(guard)
        }
      }
      return Reflect.apply(enable, this, [])
    },
  }
  define(prototype, 'enable', mine)

  const tell = (of: number[]) => {
    // Hooks may destroy more, which are told at once.
    for (let at = 0; at < of.length; at++) internal.nativeHooks.destroy(of[at]!)
    of.length = 0
  }
  const queue = binding.queueDestroyAsyncId as (id: number) => void
  binding.queueDestroyAsyncId = (id: number) => {
    if (!host.active()) return queue(id)
    if (ids.length === 0) {
      const own = ids
      const step = host.causality.child()
      const run = () => tell(own)
      host.handles.setImmediate({ step, kind: 'destroy hooks', resource: '', delayUs: 0, isUnrefed: true, run })
    }
    ids.push(id)
  }

  return {
    provides: {
      asyncHooks: {
        end() {
          if (before === undefined) return
          fields.fill(0, kInit, kTotals + 1)
          host.promiseHooks.end()
        },
      },
    },
    leave() {
      if (before !== undefined) {
        clear()
        set(before)
        fields[kCheck] = before.check
        before = undefined
      }
      if (ids.length > 0) ids = []
    },
    apart: {
      take(): Kept | undefined {
        const kept = { ...state(), ids }
        if (kept.hooks.length === 0 && ids.length === 0) return undefined
        if (kept.hooks.length > 0) {
          clear()
          internal.disableHooks()
        }
        ids = []
        return kept
      },
      put(kept: Kept | undefined) {
        if (kept === undefined) return
        if (kept.hooks.length > 0) set(kept)
        ids = kept.ids
      },
    },
  }
}

/** C++ creates most resources of these types, and ends the process when `init` throws. */
const { Providers } = internal.asyncWrap

/** An `init` that throws nothing into C++. The program goes on until it returns to the loop, or does anything else. */
function guarded(init: Init): Init {
  return function (this: unknown, ...given) {
    try {
      Reflect.apply(init, this, given)
    } catch (error) {
      if (!Object.hasOwn(Providers, given[1])) throw error
      if (!isTermination(error)) fail(error)
    }
  }
}

/** Follows `fatalError`. */
function fail(error: unknown): void {
  const { stack } = Object(error) as { stack?: unknown }
  ;(process as unknown as { _rawDebug(text: unknown): void })._rawDebug(
    typeof stack === 'string' ? stack : shown(error),
  )
  try {
    process.exit(1)
  } catch (end) {
    if (!isTermination(end)) throw end
  }
}

/** What Node shows of a value that is not an error. */
function shown(value: unknown): string {
  const holder = { message: inspect(value) } as { stack?: string }
  Error.captureStackTrace(holder, fail)
  return holder.stack!
}
