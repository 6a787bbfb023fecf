/**
 * Intercepts message ports: `MessageChannel`, `BroadcastChannel`, `receiveMessageOnPort`, and
 * `structuredClone` where it transfers ports; ports.ts models the ports.
 *
 * Node's loop never serves a port: all ports of an execution are closed before it turns. Node's
 * JavaScript (lib/internal/worker/io.js) captured functions of ports, so that a port starts or
 * stops receiving shows only in its count of listeners.
 */

import { hostRequire, requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { define } from '../realm/replace.ts'
import { Ports, type PortsHost } from './message-ports.ts'
import { cloneable, type Port, type PortHandle, type PortMethod, prototype, real, transferOf } from './port-handle.ts'

const { kNewListener, kRemoveListener } =
  requireInternal<Record<'kNewListener' | 'kRemoveListener', symbol>>('internal/event_target')

export const messages: Interceptor<PortsHost, { readonly ports: Ports }> = {
  name: 'message ports',
  builtins: {
    globals: { controlled: 'structuredClone MessageChannel BroadcastChannel' },
  },
  install: (host) => {
    const ports = interceptMessages(host)
    return { provides: { ports }, leave: () => ports.reset(), closeOf: (isolate) => ports.closeOf(isolate) }
  },
}

function interceptMessages(host: PortsHost): Ports {
  const ports = new Ports(host)
  interceptPrototype(host, ports)
  interceptListening(host, ports)
  interceptBroadcast(host, ports)
  interceptReceiving(host, ports)
  interceptCloning(host, ports)
  return ports
}

function interceptPrototype(host: PortsHost, ports: Ports): void {
  const intercept = (name: PortMethod, mine: (handle: PortHandle, args: unknown[]) => unknown) => {
    define(prototype, name, function (this: object, ...args: unknown[]) {
      const handle = host.active() ? ports.handleOf(this) : undefined
      return handle === undefined ? real[name].apply(this, args) : mine(handle, args)
    })
  }
  intercept('postMessage', (handle, args) =>
    args.length === 0 ? real.postMessage.apply(handle.port, args) : ports.post(handle, args),
  )
  intercept('start', (handle) => ports.start(handle))
  intercept('close', (handle, [listener]) => {
    if (typeof listener === 'function') handle.port.once('close', listener as () => void)
    ports.closeByCall(handle)
  })
  intercept('ref', (handle) => {
    handle.isRefed = true
  })
  intercept('hasRef', (handle) => handle.isRefed && !handle.isClosed)
  // Node's port constructor calls this before anything else that norn can observe.
  define(prototype, 'unref', function (this: Port, ...args: unknown[]) {
    if (!host.active()) return real.unref.apply(this, args)
    const handle = ports.handleOf(this)
    if (handle === undefined) ports.adopt(this)
    else handle.isRefed = false
    return undefined
  })
}

/** Node starts a port with its first message listener, and stops it with the last. */
function interceptListening(host: PortsHost, ports: Ports): void {
  const listening = (symbol: symbol, change: (handle: PortHandle, count: number) => void) => {
    const inherited = prototype[symbol]!
    Object.defineProperty(prototype, symbol, {
      configurable: true,
      writable: true,
      value(this: Port, count: number, type: string, ...rest: unknown[]) {
        const handle = host.active() && type === 'message' ? ports.handleOf(this) : undefined
        if (handle !== undefined) change(handle, count)
        return inherited.call(this, count, type, ...rest)
      },
    })
  }
  listening(kNewListener, (handle, count) => {
    if (count === 1) ports.start(handle)
  })
  listening(kRemoveListener, (handle, count) => {
    if (count === 0) handle.isReceiving = false
  })
}

function interceptBroadcast(host: PortsHost, ports: Ports): void {
  const workers = hostRequire('node:worker_threads')
  const mine = new Proxy(BroadcastChannel, {
    construct(target, args, newTarget) {
      if (!host.active() || args.length === 0) return Reflect.construct(target, args, newTarget)
      ports.name = `${args[0]}`
      try {
        return Reflect.construct(target, [ports.name, ...args.slice(1)], newTarget)
      } finally {
        ports.name = undefined
      }
    },
  })
  define(globalThis, 'BroadcastChannel', mine)
  define(workers, 'BroadcastChannel', mine)
}

function interceptReceiving(host: PortsHost, ports: Ports): void {
  const workers = hostRequire('node:worker_threads')
  const { receiveMessageOnPort } = workers
  define(workers, 'receiveMessageOnPort', (port: unknown) => {
    const handle = host.active() ? ports.handleOf(portOf(port)) : undefined
    if (handle === undefined) return receiveMessageOnPort(port)
    const envelope = ports.take(handle)
    return envelope === undefined ? undefined : { message: envelope.message }
  })
}

/** The port of a `BroadcastChannel`, kept under a symbol of Node's. */
function portOf(port: unknown): unknown {
  if (!(port instanceof BroadcastChannel)) return port
  const symbol = Object.getOwnPropertySymbols(port).find(({ description }) => description === 'kHandle')
  return symbol === undefined ? port : Reflect.get(port, symbol)
}

function interceptCloning(host: PortsHost, ports: Ports): void {
  const { structuredClone: clone } = globalThis
  define(globalThis, 'structuredClone', function structuredClone(...args: [value: unknown, options?: object]) {
    const { transfer } = host.active() ? transferOf(args[1]) : { transfer: [] }
    const [value, ...rest] = args
    if (transfer.length === 0) return Reflect.apply(clone, undefined, [cloneable(value), ...rest])
    // A list of ArrayBuffers alone transfers no port.
    if (transfer.every((each) => each instanceof ArrayBuffer))
      return clone(args[0], { transfer: transfer as ArrayBuffer[] })
    return ports.clone(args[0], transfer)
  })
}
