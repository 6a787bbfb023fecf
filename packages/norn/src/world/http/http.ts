/**
 * Intercepts what HTTP keeps below its JavaScript: the server's list of connections, whose timeouts
 * Node measures in real time; the `Date` header; and the agents that outlive an execution.
 *
 * Follows `ConnectionsList` in src/node_http_parser.cc: a connection is active from its first byte
 * (or from being accepted) to the end of a message; a timeout is checked against the start of that.
 * Invariant: no socket of one execution serves another.
 */

import { hostRequire, internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Apart, Interceptor } from '../loop/interceptor.ts'
import { define, replaceWhileActive } from '../realm/replace.ts'
import type { ClockHost } from '../time/clock.ts'
import { noticeChecks } from './http-checks.ts'
import { type ConsumingHost, interceptConsuming } from './http-consuming.ts'

export interface HttpHost extends ConsumingHost, Pick<ClockHost, 'nowUs' | 'wallMsAt'> {}

/** The numbers under which a parser has its callbacks. */
interface Callbacks {
  readonly kOnMessageBegin: number
  readonly kOnHeadersComplete: number
  readonly kOnMessageComplete: number
}

type Parser = Record<number | 'remove' | 'initialize', Function | undefined>

interface Connection {
  /** When its message began; undefined between messages. */
  startUs: number | undefined
  hasHeaders: boolean
  /** Its message took too long: until the next one it is no longer active, but still in the list. */
  hasExpired: boolean
  readonly list: object
}

interface Agent {
  requests: object
  sockets: object
  freeSockets: object
  totalSocketCount: number
  /** TLS sessions, of `https`. */
  _sessionCache?: { map: object; list: string[] }
}

export interface InterceptedHttp {
  /** The global agents: each isolate has its own connections, and an execution begins with none. */
  readonly agents: Apart
  /** Whether a timer is a server's, and changes nothing as long as nothing else happens. */
  isIdle(timer: object): boolean
}

export const http: Interceptor<HttpHost, { isIdleTimer(timer: object): boolean }> = {
  name: 'node:http',
  builtins: {
    http: {
      controlled: 'get request createServer Server ClientRequest WebSocket',
      uncontrolled: 'setGlobalProxyFromEnv',
      plain:
        'Agent IncomingMessage OutgoingMessage ServerResponse _connectionListener validateHeaderName ' +
        'validateHeaderValue setMaxIdleHTTPParsers CloseEvent MessageEvent',
    },
    https: { controlled: 'get request createServer Server', plain: 'Agent', note: 'As `http` over `tls`.' },
  },
  install: (host) => {
    const { agents, isIdle } = interceptHttp(host)
    return { provides: { isIdleTimer: isIdle }, leave: () => void agents.take(), apart: agents }
  },
}

export function interceptHttp(host: HttpHost): InterceptedHttp {
  const isIdle = interceptConnections(host, interceptConsuming(host))
  interceptDate(host)
  const agents = ['http', 'https'].map((name) => (hostRequire(`node:${name}`) as { globalAgent: Agent }).globalAgent)
  const take = (agent: Agent): Agent | undefined => {
    const { requests, sockets, freeSockets, totalSocketCount, _sessionCache } = agent
    if (totalSocketCount === 0 && !_sessionCache?.list.length) return undefined
    for (const name of ['requests', 'sockets', 'freeSockets'] as const) agent[name] = { __proto__: null } as object
    agent.totalSocketCount = 0
    if (_sessionCache !== undefined) agent._sessionCache = { map: {}, list: [] }
    return { requests, sockets, freeSockets, totalSocketCount, ...(_sessionCache && { _sessionCache }) }
  }
  const apart: Apart = {
    take: () => agents.map(take),
    put(kept) {
      for (const [at, each] of (kept as (Agent | undefined)[]).entries()) Object.assign(agents[at]!, each)
    },
  }
  return { agents: apart, isIdle }
}

type Headers = Record<string, unknown> | unknown[] | null

interface Message {
  sendDate: boolean
  [key: symbol]: Record<string, unknown> | null
}

/** Returns a function that writes the date of the current second. */
export function dateHeader({ nowUs, wallMsAt }: Pick<HttpHost, 'nowUs' | 'wallMsAt'>): () => string {
  let second = -1
  let text = ''
  return () => {
    const now = Math.floor(wallMsAt(nowUs()) / 1000)
    if (now !== second) text = new Date(now * 1000).toUTCString()
    second = now
    return text
  }
}

/**
 * Node takes the date from a constructor that it captured, and keeps it for a second. Here it is
 * the last of the program's own headers, after which Node would put it.
 */
function interceptDate(host: HttpHost): void {
  const { kOutHeaders } = requireInternal<{ kOutHeaders: symbol }>('internal/http')
  const { prototype } = (hostRequire('node:http') as { OutgoingMessage: { prototype: object } }).OutgoingMessage
  const { _storeHeader: store } = prototype as Record<string, Function>
  const date = dateHeader(host)
  define(prototype, '_storeHeader', function (this: Message, first: string, headers: Headers) {
    if (!host.active() || !this.sendDate) return Reflect.apply(store!, this, [first, headers])
    this.sendDate = false
    const own = this[kOutHeaders]
    // Node's own have names in lower case.
    const lacks = own !== null && headers === own ? own.date === undefined : !hasDate(headers)
    // Node knows its own headers by identity.
    const isOwn = lacks && own !== null && headers === own
    if (isOwn) own.date = ['Date', date()]
    try {
      return Reflect.apply(store!, this, [first, lacks && !isOwn ? withDate(headers, date()) : headers])
    } finally {
      if (isOwn) delete own.date
      this.sendDate = true
    }
  })
}

function hasDate(headers: Headers): boolean {
  if (headers === null || headers === undefined) return false
  if (!Array.isArray(headers)) return Object.keys(headers).some(isDate)
  if (Array.isArray(headers[0])) return headers.some((entry) => isDate((entry as unknown[])[0]))
  return headers.some((name, at) => at % 2 === 0 && isDate(name))
}

function isDate(name: unknown): boolean {
  return typeof name === 'string' && name.length === 4 && name.toLowerCase() === 'date'
}

function withDate(headers: Headers, date: string): Headers {
  if (!Array.isArray(headers)) return { ...headers, Date: date }
  return [...headers, ...(Array.isArray(headers[0]) ? [['Date', date]] : ['Date', date])]
}

function interceptConnections(host: HttpHost, prepare: (parser: object) => void): InterceptedHttp['isIdle'] {
  const { HTTPParser, ConnectionsList } = internalBinding('http_parser') as {
    HTTPParser: Callbacks & { prototype: Parser }
    ConnectionsList: Function & { prototype: object }
  }
  const connections = new WeakMap<object, Connection>()
  const lists = new WeakMap<object, Set<Parser>>()
  const of = (list: object): [parser: Parser, connection: Connection][] =>
    [...(lists.get(list) ?? [])].map((parser) => [parser, connections.get(parser)!])
  const active = (list: object) =>
    of(list).filter(([, { startUs, hasExpired }]) => startUs !== undefined && !hasExpired)
  const begins = (parser: Parser) => {
    const connection = connections.get(parser)
    if (connection === undefined) return
    connection.startUs = host.nowUs()
    connection.hasHeaders = connection.hasExpired = false
  }
  const { prototype } = HTTPParser
  const { initialize, remove } = prototype
  define(
    prototype,
    'initialize',
    function (this: Parser, ...args: [type: number, resource: object, ...rest: unknown[]]) {
      const list = host.active() ? (args[4] as object | undefined) : undefined
      if (list !== undefined) {
        prepare(this)
        wrap(this)
        connections.set(this, { startUs: host.nowUs(), hasHeaders: false, hasExpired: false, list })
        let parsers = lists.get(list)
        if (parsers === undefined) lists.set(list, (parsers = new Set()))
        parsers.add(this)
      }
      return Reflect.apply(initialize!, this, args)
    },
  )
  define(prototype, 'remove', function (this: Parser) {
    const connection = connections.get(this)
    if (connection !== undefined) lists.get(connection.list)?.delete(this)
    connections.delete(this)
    return Reflect.apply(remove!, this, [])
  })

  const wrap = (parser: Parser) => {
    const { kOnMessageBegin, kOnHeadersComplete, kOnMessageComplete } = HTTPParser
    before(parser, kOnMessageBegin, () => begins(parser))
    before(parser, kOnHeadersComplete, () => {
      const connection = connections.get(parser)
      if (connection !== undefined) connection.hasHeaders = true
    })
    before(parser, kOnMessageComplete, () => {
      const connection = connections.get(parser)
      if (connection !== undefined) connection.startUs = undefined
    })
  }

  const list = ConnectionsList.prototype
  /** The earliest first, idle ones last. */
  const all = (of: [Parser, Connection][]) =>
    of.sort(([, a], [, b]) => (a.startUs ?? Number.POSITIVE_INFINITY) - (b.startUs ?? Number.POSITIVE_INFINITY) || 0)
  const parsers = (of: [Parser, Connection][]) => of.map(([parser]) => parser)
  replaceWhileActive(host, list, 'all', function (this: object) {
    return parsers(all(of(this)))
  })
  replaceWhileActive(host, list, 'idle', function (this: object) {
    return parsers(of(this).filter(([, { startUs }]) => startUs === undefined))
  })
  replaceWhileActive(host, list, 'active', function (this: object) {
    return parsers(all(active(this)))
  })
  replaceWhileActive(host, list, 'expired', function (this: object, headersMs: number, requestMs: number) {
    // The shorter one is that of the headers, whatever the program set.
    const isSwapped = requestMs > 0 && headersMs > requestMs
    const [headersUs, requestUs] = (isSwapped ? [requestMs, headersMs] : [headersMs, requestMs]).map((ms) =>
      ms === 0 ? Number.NEGATIVE_INFINITY : host.nowUs() - ms * 1000,
    )
    const expired = active(this).filter(
      ([, { startUs, hasHeaders }]) => (!hasHeaders && startUs! < headersUs!) || startUs! < requestUs!,
    )
    for (const [, connection] of expired) connection.hasExpired = true
    return parsers(all(expired))
  })
  return noticeChecks(ConnectionsList, (list) => active(list).length === 0)
}

/** Callbacks that `before` made. */
const intercepting = new WeakSet<object>()

/**
 * Runs an action before a callback of a parser, which may have none. Parsers are used again, in other executions too,
 * by clients and by servers, and Node clears some of their callbacks in between.
 */
function before(parser: Parser, name: number, action: () => void): void {
  const callback = parser[name]
  if (typeof callback === 'function' && intercepting.has(callback)) return
  const intercepted = function (this: unknown, ...args: unknown[]) {
    action()
    return typeof callback === 'function' ? Reflect.apply(callback, this, args) : undefined
  }
  intercepting.add(intercepted)
  parser[name] = intercepted
}
