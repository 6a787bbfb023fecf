/**
 * Async hooks: those that an execution enables end with it, each thread has its own, and they learn
 * of destroyed resources in the check phase.
 *
 * Follows `AsyncWrap::EmitDestroy` (src/async_wrap.cc): ids are collected, and an immediate that keeps
 * no loop alive passes them on. C++ would set it on the real loop. Objects that only the garbage
 * collector destroys are told to nobody: when it runs is no part of the program.
 */
import { createHook } from 'node:async_hooks'
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { AsyncHandles } from '../loop/async-handles.ts'
import type { Causality } from '../loop/causality.ts'
import type { Hooks, Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'

export interface AsyncHooksHost extends Activity {
  readonly handles: AsyncHandles
  readonly causality: Causality
  /** Called before something changes that a module may see which loads later. */
  affecting(): void
}

interface Internal {
  getHookArrays(): [hooks: object[], fields: Uint32Array]
  enableHooks(): void
  disableHooks(): void
  updatePromiseHookMode(): void
  readonly nativeHooks: { destroy(asyncId: number): void }
}

interface Kept {
  readonly hooks: readonly object[]
  readonly counts: readonly number[]
  readonly ids: number[]
}

const internal = requireInternal<Internal>('internal/async_hooks')

export const asyncHooks: Interceptor<AsyncHooksHost> = {
  name: 'async hooks',
  builtins: {
    async_hooks: {
      is: 'controlled',
      note: 'Norn disables enabled hooks after the execution. What only the garbage collector destroys is not told.',
    },
  },
  install: interceptAsyncHooks,
}

function interceptAsyncHooks(host: AsyncHooksHost): Hooks {
  const binding = internalBinding('async_wrap')
  const { kInit, kTotals } = binding.constants as Record<'kInit' | 'kTotals', number>
  const enabled: { disable(): void }[] = []
  /** Ids that the hooks of the running isolate have yet to learn of. */
  let ids: number[] = []

  const prototype = Object.getPrototypeOf(createHook({}))
  const { enable } = prototype
  define(prototype, 'enable', function (this: { disable(): void }) {
    if (host.active()) {
      host.affecting()
      enabled.push(this)
    }
    return Reflect.apply(enable, this, [])
  })

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
    leave() {
      if (enabled.length > 0) for (const hook of enabled.splice(0)) hook.disable()
      if (ids.length > 0) ids = []
    },
    apart: {
      take(): Kept | undefined {
        const [hooks, fields] = internal.getHookArrays()
        if (hooks.length === 0 && ids.length === 0) return undefined
        const kept = { hooks: [...hooks], counts: [...fields.subarray(kInit, kTotals + 1)], ids }
        if (hooks.length > 0) {
          hooks.length = 0
          for (let at = kInit; at <= kTotals; at++) fields[at] = 0
          internal.disableHooks()
        }
        ids = []
        return kept
      },
      put(kept: Kept | undefined) {
        if (kept === undefined) return
        const [hooks, fields] = internal.getHookArrays()
        hooks.push(...kept.hooks)
        kept.counts.forEach((count, at) => {
          fields[kInit + at] = count
        })
        if (kept.hooks.length > 0) {
          internal.enableHooks()
          internal.updatePromiseHookMode()
        }
        ids = kept.ids
      },
    },
  }
}
