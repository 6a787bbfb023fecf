/**
 * Intercepts the queries of `dns.resolve*`, `dns.reverse` and `Resolver`, which c-ares sends from
 * sockets of its own: a name server that has the declared records answers them.
 *
 * Follows src/cares_wrap.cc: an answer is read in the poll phase, but `req.oncomplete(error, result,
 * ttls)` runs as a native immediate, in the check phase. Follows c-ares for the timeouts, and for
 * what fails without a query. Invariant: no query of a program reaches a real name server.
 */

import { isIP } from 'node:net'
import { hostRequire, internalBinding, requireInternal } from '../../loader/internals.ts'
import { type Arrival, type AsyncHandle, type AsyncHandles, isolateOf } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import type { Hooks, Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import { OPERATION_US } from '../loop/pool.ts'
import type { Answer, HostNames, RecordType } from '../network/host-names.ts'
import { asciiName, isQueryable, normalAddress } from '../network/names.ts'
import type { NetworkFaults } from '../network/network-faults.ts'
import type { Builtin } from '../realm/builtin.ts'
import { endContext, newContext } from '../realm/callback-scope.ts'
import { type Control, define } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'

export interface DnsQueriesHost extends Control {
  readonly handles: AsyncHandles
  nowUs(): number
  names(): HostNames
  readonly networkFaults: NetworkFaults
  /** Says whether a socket of the program receives datagrams there. */
  readonly udp: { isServed(address: string, port: number): boolean }
  /** Announces a callback in the poll phase without a pool thread. */
  announce(kind: string, resource: string, point?: 'callback'): { readonly step: Step; readonly delayUs: number }
}

interface Request {
  oncomplete(error: string | null, result?: unknown, ttls?: readonly number[]): void
}

type Server = readonly [address: string, port: number]

interface Channel {
  servers: readonly Server[]
  /** After this time without an answer a query fails; in microseconds. */
  readonly patienceUs: number
}

interface Query extends Arrival {
  readonly channel: object
  /** When the answer is there, or the resolver gives up. */
  readonly atUs: number
  readonly fail: (error: string) => Arrival
}

const SERVER: Server = ['192.0.2.53', 53]

/** Defaults and a bound of c-ares. */
const TIMEOUT_MS = 2000
const MIN_TIMEOUT_MS = 250
const TRIES = 4

/** `DNS_ESETSRVPENDING` of src/cares_wrap.h. */
const SERVERS_PENDING = -1000

const binding = internalBinding('cares_wrap')

const RESOLVE =
  'resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr ' +
  'resolveSoa resolveSrv resolveTlsa resolveTxt reverse'
const DNS: Builtin = {
  controlled: `lookup lookupService Resolver getServers setServers setDefaultResultOrder ${RESOLVE}`,
  plain: 'getDefaultResultOrder',
  note:
    'The world knows `localhost`, the name of the machine and the option `hosts` of the property; any other name fails ' +
    'with `ENOTFOUND`. Queries to a name server that is a socket of the program are uncontrolled.',
}

export const dnsQueries: Interceptor<DnsQueriesHost> = {
  name: 'queries of node:dns',
  builtins: {
    dns: DNS,
    'dns/promises': DNS,
  },
  install: interceptDnsQueries,
}

function interceptDnsQueries(host: DnsQueriesHost): Hooks {
  const queries = new Queries(host)
  interceptChannels(host, queries)
  const restoreDefaults = keepDefaults()
  return {
    enter: () => queries.enter(),
    leave() {
      queries.leave()
      restoreDefaults()
    },
  }
}

/** The queries of one execution that wait for an answer: one handle of the loop. */
class Queries implements AsyncHandle {
  dueUs = Number.POSITIVE_INFINITY
  #waiting: Query[] = []
  #channels = new WeakMap<object, Channel>()
  /** A new map costs more than the rest of `leave`, so it is made where the last one was used. */
  #hasChannels = false
  readonly #host: DnsQueriesHost

  constructor(host: DnsQueriesHost) {
    this.#host = host
  }

  enter(): void {
    this.leave()
    this.#host.handles.open(this)
  }

  leave(): void {
    if (this.#waiting.length > 0) this.#waiting = []
    if (this.#hasChannels) this.#channels = new WeakMap()
    this.#hasChannels = false
    this.dueUs = Number.POSITIVE_INFINITY
  }

  keepsAlive(isolate?: Isolate): boolean {
    return this.#waiting.some((query) => isolate === undefined || isolateOf(query) === isolate)
  }

  /** What was answered calls back in the check phase. */
  next(nowUs: number): undefined {
    for (const query of this.#waiting) if (query.atUs <= nowUs) this.#host.handles.setImmediate(query)
    this.#setWaiting(this.#waiting.filter(({ atUs }) => atUs > nowUs))
  }

  channel(channel: object): Channel {
    return this.#channels.get(channel) ?? { servers: [SERVER], patienceUs: patienceUs() }
  }

  configure(channel: object, changes: Partial<Channel>): void {
    this.#hasChannels = true
    this.#channels.set(channel, { ...this.channel(channel), ...changes })
  }

  isPending(channel: object): boolean {
    return this.#waiting.some((query) => query.channel === channel)
  }

  /** Fails the queries of a channel, in the order asked. */
  cancel(channel: object): void {
    for (const query of this.#waiting) {
      if (query.channel === channel) this.#host.handles.setImmediate(query.fail('ECANCELLED'))
    }
    this.#setWaiting(this.#waiting.filter((query) => query.channel !== channel))
  }

  ask(channel: object, kind: string, resource: string, request: Request, failing: string | undefined): void {
    const { handles, announce, names, nowUs } = this.#host
    const context = newContext('QUERYWRAP', request)
    const { step, delayUs } = announce(kind, resource, failing === undefined ? 'callback' : undefined)
    const arrival = (answer: () => Answer): Arrival => ({
      step,
      kind,
      resource,
      delayUs,
      run: () => endContext(context, () => complete(request, answer())),
    })
    const fail = (error: string) => arrival(() => ({ error }))
    if (failing !== undefined) {
      handles.setImmediate(fail(failing))
      return
    }
    const { servers, patienceUs } = this.channel(channel)
    const own = servers.find((server) => this.#host.udp.isServed(...server))
    if (own !== undefined) this.#host.refuse(`dns query to ${own.join(':')}, a socket of the program`)
    // Nobody else serves names on this machine.
    const isRefused = servers.every(([address]) => /^(127\.|::1$)/.test(address))
    const answerUs = OPERATION_US + delayUs
    const isLate = answerUs > patienceUs
    const fault = isLate || isRefused ? undefined : this.#host.networkFaults.at('query', { step, kind, resource })
    const error = isLate ? 'ETIMEOUT' : isRefused ? 'ECONNREFUSED' : fault
    const done = error === undefined ? undefined : fail(error)
    const query = done ?? arrival(() => answerTo(names(), kind, resource))
    this.#setWaiting([...this.#waiting, { ...query, channel, fail, atUs: nowUs() + Math.min(answerUs, patienceUs) }])
  }

  #setWaiting(waiting: Query[]): void {
    this.#waiting = waiting.sort((one, other) => one.atUs - other.atUs)
    this.dueUs = this.#waiting[0]?.atUs ?? Number.POSITIVE_INFINITY
  }
}

function complete(request: Request, answer: Answer): void {
  if ('error' in answer) request.oncomplete(answer.error)
  else if (answer.ttls === undefined) request.oncomplete(null, answer.result)
  else request.oncomplete(null, answer.result, answer.ttls)
}

function answerTo(names: HostNames, kind: string, resource: string): Answer {
  if (kind !== 'getHostByAddr')
    return names.query(kind.slice('query'.length).toUpperCase() as RecordType | 'ANY', resource)
  const found = names.namesOf(resource)
  return found.length === 0 ? { error: 'ENOTFOUND' } : { result: [...found] }
}

/** How long c-ares waits: each round of tries waits twice as long as the one before. */
function patienceUs(timeoutMs = -1, tries = TRIES, maxTimeoutMs = 0): number {
  const first = Math.max(MIN_TIMEOUT_MS, timeoutMs < 0 ? TIMEOUT_MS : timeoutMs)
  const bound = maxTimeoutMs > 0 ? maxTimeoutMs : Number.POSITIVE_INFINITY
  let sumMs = 0
  for (let round = 0; round < tries && sumMs < Number.MAX_SAFE_INTEGER; round++)
    sumMs += Math.min(bound, first * 2 ** round)
  return sumMs * 1000
}

function interceptChannels(host: DnsQueriesHost, queries: Queries): void {
  const prototype = binding.ChannelWrap.prototype as Record<string, Function>
  const intercept = <Args extends unknown[]>(name: string, mine: (channel: object, args: Args) => unknown) => {
    const real = prototype[name]
    if (real === undefined) return
    define(prototype, name, function (this: object, ...args: Args) {
      return host.active() ? mine(this, args) : real.apply(this, args)
    })
  }
  binding.ChannelWrap = new Proxy(binding.ChannelWrap, {
    construct(target, args: number[], newTarget) {
      const channel = Reflect.construct(target, args, newTarget)
      if (host.active()) queries.configure(channel, { patienceUs: patienceUs(...args) })
      return channel
    },
  })
  for (const name of Object.keys(prototype).filter((each) => each.startsWith('query'))) {
    intercept(name, (channel, [request, given]: [Request, string]) => {
      const asked = asciiName(given)
      const failing = isQueryable(asked) ? noServer(queries, channel) : 'EBADNAME'
      queries.ask(channel, name, asked, request, failing)
      return 0
    })
  }
  intercept('getHostByAddr', (channel, [request, address]: [Request, string]) => {
    if (isIP(address) === 0) return uv.UV_EINVAL
    queries.ask(channel, 'getHostByAddr', address, request, noServer(queries, channel))
    return 0
  })
  intercept('getServers', (channel) => queries.channel(channel).servers.map((server) => [...server]))
  intercept('setServers', (channel, [servers]: [readonly [family: number, address: string, port: number][]]) => {
    if (queries.isPending(channel)) return SERVERS_PENDING
    const distinct = new Map<string, Server>()
    for (const [, given, port] of servers) {
      const address = normalAddress(given)
      distinct.set(`${address} ${port}`, [address, port])
    }
    queries.configure(channel, { servers: [...distinct.values()] })
    return 0
  })
  intercept('cancel', (channel) => queries.cancel(channel))
}

/** c-ares has no text for the error of a channel without servers. */
function noServer(queries: Queries, channel: object): string | undefined {
  return queries.channel(channel).servers.length === 0 ? 'UNKNOWN_ARES_ERROR' : undefined
}

/**
 * `dns.setServers` replaces the functions of `dns`, and `dns.setDefaultResultOrder` a variable.
 * Returns a function that restores both.
 */
function keepDefaults(): () => void {
  const utils = requireInternal<{
    getDefaultResolver(): object
    setDefaultResolver(resolver: object): void
    getDefaultResultOrder(): string
    setDefaultResultOrder(order: string): void
  }>('internal/dns/utils')
  const modules = [hostRequire('node:dns'), hostRequire('node:dns/promises')] as object[]
  const before = modules.map((each) => Object.getOwnPropertyDescriptors(each))
  const resolver = utils.getDefaultResolver()
  const order = utils.getDefaultResultOrder()
  return () => {
    if (utils.getDefaultResultOrder() !== order) utils.setDefaultResultOrder(order)
    if (utils.getDefaultResolver() === resolver) return
    utils.setDefaultResolver(resolver)
    for (const [index, each] of modules.entries()) Object.defineProperties(each, before[index]!)
  }
}
