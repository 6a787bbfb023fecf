/**
 * Gates before every uncontrolled operation: passing one makes the execution inconclusive, by the
 * name and the stack of the operation.
 *
 * The inner ring is on prototypes and bindings, which catches early references and Node's own
 * JavaScript. The outer ring is on public functions, where the inner one cannot be replaced or is
 * reached only from a tick, without a frame of the program. The count of real handles (process.ts)
 * catches operations without a gate; stubs.ts answers instead of rejecting.
 */
import { hostRequire, internalBinding } from '../../loader/internals.ts'
import { type Control, define, refusing } from '../replace.ts'

export interface GatesHost extends Control {
  /**
   * Remembers a call that leads to a gate only later: its stack is shown where the refusal's own
   * has no line of the program.
   */
  approach(way: Error): void
}

type Holder = Record<string, unknown>

/**
 * A gate: the object, the name that reports show (`%` stands for the function), and the functions
 * or classes.
 */
type Gate = readonly [object: unknown, name: string, functions: readonly string[]]

export function interceptGates(host: GatesHost): void {
  for (const [object, name, functions] of [...innerRing(), ...outerRing()]) {
    for (const each of functions) gate(host, object, each, name.replace('%', each))
  }
  interceptApproaches(host)
  interceptStorage(host)
  interceptPerformanceObserver(host)
}

function innerRing(): Gate[] {
  const prototypeOf = (binding: string, name: string): object | undefined => internalBinding(binding)[name]?.prototype
  const resolver = prototypeOf('cares_wrap', 'ChannelWrap')
  const queries = Object.keys(resolver ?? {}).filter((n) => n.startsWith('query') || n === 'getHostByAddr')
  return [
    [prototypeOf('tcp_wrap', 'TCP'), 'TCP socket %', ['connect', 'connect6', 'bind', 'bind6', 'listen', 'open']],
    [prototypeOf('pipe_wrap', 'Pipe'), 'pipe %', ['connect', 'bind', 'listen', 'open']],
    [prototypeOf('udp_wrap', 'UDP'), 'UDP socket %', ['bind', 'bind6', 'send', 'send6', 'connect', 'connect6', 'open']],
    [prototypeOf('process_wrap', 'Process'), 'child process', ['spawn']],
    [internalBinding('spawn_sync'), 'child process', ['spawn']],
    [prototypeOf('worker', 'Worker'), 'worker thread', ['startThread']],
    [resolver, 'dns %', queries],
    [prototypeOf('trace_events', 'CategorySet'), 'trace_events %', ['enable']],
    // Loaded only when a program asks for them.
    [internalBinding('sqlite'), 'node:sqlite %', ['DatabaseSync', 'backup']],
    [internalBinding('wasi'), 'node:wasi', ['WASI']],
  ]
}

function outerRing(): Gate[] {
  const { Socket, Server } = builtin('net') as typeof import('node:net')
  const { Socket: Datagrams } = builtin('dgram') as unknown as { Socket: Function }
  const { Session } = (builtin('inspector') ?? {}) as { Session?: Function }
  const { locks } = navigator as { locks?: object }
  return [
    [Socket.prototype, 'net.Socket connect', ['connect']],
    [Server.prototype, 'net.Server listen', ['listen']],
    [Datagrams.prototype, 'dgram.Socket %', ['bind', 'connect', 'send']],
    [builtin('worker_threads'), 'worker thread', ['Worker']],
    [builtin('worker_threads'), '%', ['moveMessagePortToContext', 'postMessageToThread']],
    [locks && Object.getPrototypeOf(locks), 'navigator.locks.%', ['request', 'query']],
    [builtin('tty'), 'tty.%', ['ReadStream', 'WriteStream']],
    [builtin('inspector'), 'inspector.%', ['open', 'close', 'waitForDebugger']],
    [Session?.prototype, 'inspector.Session %', ['connect', 'connectToMainThread']],
    [builtin('module'), 'module.%', ['register', 'registerHooks', 'enableCompileCache', 'flushCompileCache']],
    [builtin('module'), 'module.%', ['setSourceMapsSupport']],
    [builtin('crypto'), 'crypto.%', ['setEngine', 'setFips']],
    [builtin('dns'), 'dns.%', ['setServers']],
    [builtin('dns/promises'), 'dns.%', ['setServers']],
    [builtin('tls'), 'tls.%', ['setDefaultCACertificates']],
    [builtin('http'), 'http.%', ['setGlobalProxyFromEnv']],
    [builtin('vm'), 'vm.%', ['measureMemory']],
    [builtin('fs'), 'fs.%', ['openAsBlobSync']],
    [builtin('zlib'), 'zlib.%', ['ZipFile', 'createZipArchive', 'zipFiles']],
    [builtin('os'), 'os.%', ['setPriority']],
    [builtin('perf_hooks'), 'perf_hooks.%', ['monitorEventLoopDelay', 'timerify']],
    [Object.getPrototypeOf(performance), 'performance.%', ['timerify']],
    [
      builtin('v8'),
      'v8.%',
      ['writeHeapSnapshot', 'getHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'setFlagsFromString', 'queryObjects'],
    ],
    [builtin('v8'), 'v8.%', ['takeCoverage', 'stopCoverage', 'startCpuProfile', 'GCProfiler', 'startHeapProfile']],
    [builtin('v8'), 'v8.%', ['setHeapProfileNearHeapLimit', 'getCppHeapStatistics']],
    [process.report, 'process.report.%', ['writeReport', 'getReport']],
    [process, 'process.%', ['dlopen', 'execve', 'loadEnvFile', 'setSourceMapsEnabled']],
    [process, 'process.%', ['_kill', '_debugProcess', '_debugEnd', 'addUncaughtExceptionCaptureCallback']],
    [process, 'process.%', ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups']],
  ]
}

function builtin(name: string): object | undefined {
  try {
    return hostRequire(`node:${name}`) as object
  } catch {
    return undefined
  }
}

/** Rejects a function or class while the world is active. */
function gate(host: GatesHost, object: unknown, property: string, what: string): void {
  const real = (object as Holder | undefined)?.[property]
  if (typeof real !== 'function') return
  define(object as object, property, refusing(host, what, real))
}

/** Remembers calls that connect only in a later tick, for the report. */
function interceptApproaches(host: GatesHost): void {
  const remembering = (real: Function, name: string): Function => {
    const approach = () => {
      if (host.active()) host.approach(new Error(name))
    }
    return new Proxy(real, {
      apply(target, self, args) {
        approach()
        return Reflect.apply(target, self, args)
      },
      construct(target, args, newTarget) {
        approach()
        return Reflect.construct(target, args, newTarget)
      },
    })
  }
  define(globalThis, 'fetch', remembering(fetch, 'fetch'))
  for (const name of ['WebSocket', 'EventSource']) {
    const lazy = Object.getOwnPropertyDescriptor(globalThis, name)
    if (lazy?.get === undefined) continue
    let mine: Function | undefined
    const get = () => {
      const real = lazy.get!.call(globalThis) as Function | undefined
      return real === undefined ? undefined : (mine ??= remembering(real, name))
    }
    Object.defineProperty(globalThis, name, { ...lazy, get })
  }
}

/** Web storage outlives an execution, and may lie on the disk. */
function interceptStorage(host: GatesHost): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name)
    if (descriptor?.get === undefined) continue
    const get = () => (host.active() ? host.refuse(name) : descriptor.get!.call(globalThis))
    Object.defineProperty(globalThis, name, { ...descriptor, get })
  }
}

/**
 * Observers are called in real time. Garbage collections, the one allowed type, are never reported.
 */
function interceptPerformanceObserver(host: GatesHost): void {
  const { PerformanceObserver } = builtin('perf_hooks') as typeof import('node:perf_hooks')
  const { observe } = PerformanceObserver.prototype
  define(PerformanceObserver.prototype, 'observe', function (this: object, options: ObserverOptions) {
    if (!host.active()) return Reflect.apply(observe, this, [options])
    const types = options?.entryTypes ?? [options?.type]
    if (types.some((type) => type !== 'gc')) host.refuse('PerformanceObserver observe')
  })
}

type ObserverOptions = { entryTypes?: string[]; type?: string } | undefined
