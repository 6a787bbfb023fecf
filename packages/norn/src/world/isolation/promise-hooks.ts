/**
 * Hooks of promises: those of `v8.promiseHooks`, and those by which `createHook` follows promises. Those that an
 * execution sets end with it, each thread has its own, and none learns of the promises by which norn waits for the
 * program.
 *
 * Follows lib/internal/promise_hooks.js.
 */
import { requireInternal } from '../../loader/internals.ts'
import type { Hooks, Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'

type Hook = (promise: Promise<unknown>, parent?: Promise<unknown>) => void
type Stop = () => void

interface Internal {
  createHook(hooks?: Readonly<Record<string, Hook | undefined>>): Stop
  onInit(hook: Hook): Stop
  onBefore(hook: Hook): Stop
  onAfter(hook: Hook): Stop
  onSettled(hook: Hook): Stop
}

/** Reacts to a promise, or to a thenable, as `await` does; no hook of the program learns of it. */
export type React = (
  value: PromiseLike<unknown>,
  fulfil: (value: unknown) => void,
  reject?: (error: unknown) => void,
) => void

export interface PromiseHooks {
  readonly react: React
  /** The process exits: no hook is called any more. */
  end(): void
}

/** A hook of the program, and how it is set and ended. */
interface Heard {
  readonly set: (hook: Hook) => Stop
  readonly hook: Hook
  stop: Stop
}

const KINDS = { init: 'onInit', before: 'onBefore', after: 'onAfter', settled: 'onSettled' } as const

// Captured now: a program may replace methods of promises.
const { then } = Promise.prototype
const resolve = Promise.resolve.bind(Promise)
const { apply } = Reflect

export const promiseHooks: Interceptor<Activity, { readonly promiseHooks: PromiseHooks }> = {
  name: 'promise hooks',
  install: interceptPromiseHooks,
}

function interceptPromiseHooks(host: Activity): Hooks<{ readonly promiseHooks: PromiseHooks }> {
  const internal = requireInternal<Internal>('internal/promise_hooks')
  const { validatePlainFunction } = requireInternal<{ validatePlainFunction(value: unknown, name: string): void }>(
    'internal/validators',
  )
  let heard: Heard[] = []
  /** Promises of norn, a few in an execution. */
  const own: unknown[] = []
  let isReacting = false
  let hasEnded = false

  const isOwn = (promise: unknown) => {
    for (let at = 0; at < own.length; at++) if (own[at] === promise) return true
    return isReacting
  }
  const react: React = (value, fulfil, reject) => {
    isReacting = true
    try {
      const promise = resolve(value)
      if (promise !== value) own.push(promise)
      own.push(apply(then, promise, [fulfil, reject]))
    } finally {
      isReacting = false
    }
  }

  for (const [kind, name] of Object.entries(KINDS)) {
    const set = internal[name]
    define(internal, name, (hook: Hook): Stop => {
      if (!host.active()) return set(hook)
      validatePlainFunction(hook, `${kind}Hook`)
      const mine: Hook = (promise, parent) => {
        if (!hasEnded && !isOwn(promise)) hook(promise, parent)
      }
      const each: Heard = { set, hook: mine, stop: set(mine) }
      heard.push(each)
      return () => {
        each.stop()
        heard = heard.filter((other) => other !== each)
      }
    })
  }
  define(
    internal,
    'createHook',
    ({ init, before, after, settled }: Parameters<Internal['createHook']>[0] = {}): Stop => {
      const stops: Stop[] = []
      if (init) stops.push(internal.onInit(init))
      if (before) stops.push(internal.onBefore(before))
      if (after) stops.push(internal.onAfter(after))
      if (settled) stops.push(internal.onSettled(settled))
      return () => {
        for (const stop of stops) stop()
      }
    },
  )

  const take = (): readonly Heard[] => {
    const taken = heard
    hasEnded = false
    if (taken.length > 0) heard = []
    for (let at = 0; at < taken.length; at++) taken[at]!.stop()
    return taken
  }
  return {
    provides: {
      promiseHooks: {
        react,
        end() {
          hasEnded = true
        },
      },
    },
    leave() {
      if (own.length > 0) own.length = 0
      take()
    },
    apart: {
      take,
      put(kept: readonly Heard[]) {
        for (const each of kept) each.stop = each.set(each.hook)
        heard = [...kept]
      },
    },
  }
}
