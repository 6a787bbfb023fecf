/**
 * Gates before everything that is not controlled: passing one while the world is active voids the execution, by the
 * name of the operation and the stack that led there.
 *
 * Gates stand on prototypes and bindings, so that references captured earlier are caught too. What no gate names is
 * caught afterwards by the count of real requests and handles (see world.ts).
 */
import { internalBinding, requireInternal } from '../internals.ts'
import { define } from './clock.ts'

export interface GatesHost {
  active(): boolean
  /** Voids the execution and throws. */
  refuse(what: string): never
  /** Sleeps synchronously in virtual time. */
  sleepUs(us: number): void
}

type Holder = Record<string, unknown>

export function ownGates(host: GatesHost): void {
  const gate = (object: unknown, names: readonly string[], describe: (name: string) => string) => {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function')) return
    for (const name of names) {
      const real = (object as Holder)[name]
      if (typeof real !== 'function') continue
      define(object, name, function (this: unknown, ...args: unknown[]) {
        if (host.active()) host.refuse(describe(name))
        return Reflect.apply(real, this, args)
      })
    }
  }
  const prototypeOf = (binding: string, name: string): object | undefined => internalBinding(binding)[name]?.prototype

  gate(
    prototypeOf('tcp_wrap', 'TCP'),
    ['connect', 'connect6', 'bind', 'bind6', 'listen', 'open'],
    (n) => `TCP socket ${n}`,
  )
  gate(prototypeOf('pipe_wrap', 'Pipe'), ['connect', 'bind', 'listen', 'open'], (n) => `pipe ${n}`)
  gate(
    prototypeOf('udp_wrap', 'UDP'),
    ['bind', 'bind6', 'send', 'send6', 'connect', 'connect6', 'open'],
    (n) => `UDP socket ${n}`,
  )
  gate(prototypeOf('process_wrap', 'Process'), ['spawn'], () => 'child process')
  gate(internalBinding('spawn_sync'), ['spawn'], () => 'child process')
  gate(prototypeOf('worker', 'Worker'), ['startThread'], () => 'worker thread')
  gate(prototypeOf('messaging', 'MessagePort'), ['postMessage', 'start'], (n) => `MessagePort ${n}`)
  const resolver = prototypeOf('cares_wrap', 'ChannelWrap')
  gate(
    resolver,
    Object.keys(resolver ?? {}).filter((n) => n.startsWith('query') || n === 'getHostByAddr'),
    (n) => `dns ${n}`,
  )
  gate(process, ['dlopen', 'execve', 'send'], (n) => `process.${n}`)

  gate(
    Reflect.get(globalThis, 'WebAssembly'),
    ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming'],
    (n) => `WebAssembly.${n}`,
  )
  gate(Atomics, ['waitAsync'], (n) => `Atomics.${n}`)
  gate(BroadcastChannel.prototype, ['postMessage'], () => 'BroadcastChannel postMessage')
  const { webcrypto } = requireInternal<typeof import('node:crypto')>('node:crypto')
  const subtle = Object.getPrototypeOf(webcrypto.subtle) as object
  gate(
    subtle,
    Object.getOwnPropertyNames(subtle).filter((n) => n !== 'constructor'),
    (n) => `crypto.subtle.${n}`,
  )

  const { wait } = Atomics
  define(Atomics, 'wait', (array: Int32Array, index: number, value: number, timeoutMs = Number.POSITIVE_INFINITY) => {
    if (!host.active()) return wait(array, index, value, timeoutMs)
    if (Atomics.load(array, index) !== value) return 'not-equal'
    if (timeoutMs === Number.POSITIVE_INFINITY) host.refuse('Atomics.wait without a timeout')
    host.sleepUs(timeoutMs * 1000)
    return 'timed-out'
  })
}
