/**
 * Ends subscriptions to diagnostics channels with the execution that set them up: they observe Node
 * itself, and would outlive it.
 */

import { channel } from 'node:diagnostics_channel'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'

type Method = (this: object, ...args: unknown[]) => unknown

export const observers: Interceptor<Activity> = {
  name: 'diagnostics channels',
  builtins: {
    diagnostics_channel: { is: 'controlled', note: 'Norn ends subscriptions after the execution.' },
  },
  install: (host) => ({ leave: interceptObservers(host) }),
}

/** Returns a function that ends everything set up since its last call. */
function interceptObservers(host: Activity): () => void {
  const ends: (() => void)[] = []
  const ending = (prototype: object, begin: string, end: string) => {
    const methods = prototype as Record<string, Method>
    const real = methods[begin]!
    define(prototype, begin, function (this: object, ...args: unknown[]) {
      if (host.active()) ends.push(() => (this as Record<string, Method>)[end]!(args[0]))
      return real.apply(this, args)
    })
  }
  // A channel changes its class when it gets a subscriber.
  const subject = channel('norn')
  const listen = () => {}
  const idle = Object.getPrototypeOf(subject)
  subject.subscribe(listen)
  const busy = Object.getPrototypeOf(subject)
  subject.unsubscribe(listen)
  for (const prototype of new Set([idle, busy])) {
    ending(prototype, 'subscribe', 'unsubscribe')
    ending(prototype, 'bindStore', 'unbindStore')
  }
  return () => {
    if (ends.length > 0) for (const end of ends.splice(0)) end()
  }
}
