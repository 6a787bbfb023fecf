/** Draws hostile programs: the n-th one is a function of the seed and n. */
import { type Chance, chance } from '../../engine.ts'
import { HANDSHAKE, hostileFrames, hostileRequest, hostileResponse, pick } from './bytes.ts'
import type { Action, Arg, Bytes, Client, Program, Reaction, Role, Server, Target, When } from './program.ts'

/** One program in so many has thousands of connections. */
const MANY_EVERY = 1000
const MANY = 2000

const DATA: readonly Bytes[] = ['x', 'hello\n', { repeat: 'y', times: 70_000 }, '', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n']
const LARGE: Bytes = { repeat: 'z', times: 8_000_000 }
/** A server may send it hundreds of times. */
const BODY: Bytes = { repeat: 'z', times: 300_000 }

/** Methods of each kind of object, with what they may be called with. */
type Menu = readonly (readonly [call: string, ...args: ((random: Chance, depth: number) => Arg)[]])[]

const bytes = (random: Chance): Arg => ({ bytes: random.coin(0.03) ? LARGE : pick(random, DATA) })
const error = (): Arg => ({ error: 'PLANTED' })
const then = (random: Chance, depth: number): Arg => ({ callback: depth > 1 ? [] : actions(random, STREAM, depth + 1) })
const one =
  (...values: unknown[]) =>
  (random: Chance): Arg => ({ value: pick(random, values) })
const ms = one(0, 5, 15, 30)

const STREAM: Menu = [
  ...([['write', bytes], ['write', bytes, then], ['write', bytes], ['end'], ['end', bytes], ['end', then]] as const),
  ...([['destroy'], ['destroy', error], ['destroy'], ['pause'], ['resume'], ['cork'], ['uncork']] as const),
  ...([['throw'], ['echo'], ['read'], ['setEncoding', one('utf8', 'nope')], ['unpipe'], ['reject']] as const),
  ...([
    ['write', one(null, 5, '', {})],
    ['removeAllListeners', one('data', 'error', 'end')],
    ['push', one(null, 'x')],
  ] as const),
]
const SOCKET: Menu = [
  ...STREAM,
  ...STREAM,
  ...([
    ['resetAndDestroy'],
    ['resetAndDestroy'],
    ['destroySoon'],
    ['setTimeout', ms],
    ['setTimeout', ms, then],
  ] as const),
  ...([['ref'], ['unref'], ['setNoDelay', one(true)], ['setKeepAlive', one(true)], ['address'], ['abort']] as const),
  ...([['reconnect'], ['connectNowhere'], ['setTimeout', one(-1, 'x')]] as const),
]
const SERVER: Menu = [
  ...([['close'], ['close', then], ['listenAgain'], ['listenBeside'], ['closeAllConnections'], ['start']] as const),
  ...([
    ['closeIdleConnections'],
    ['unref'],
    ['ref'],
    ['getConnections', then],
    ['dispose'],
    ['abort'],
    ['throw'],
  ] as const),
  ...([['address'], ['setTimeout', ms], ['start'], ['reject']] as const),
]
const RESPONSE: Menu = [
  ...STREAM,
  ...([
    ['end'],
    ['end', bytes],
    ['end'],
    ['end'],
    ['end', bytes],
    ['setTimeout', ms],
    ['setTimeout', ms, then],
  ] as const),
  ...([
    ['writeHead', one(200, 204, 304, 500, 1000, 99)],
    ['writeContinue'],
    ['writeProcessing'],
    ['flushHeaders'],
  ] as const),
  ...([
    ['writeEarlyHints', one({ link: '</x>; rel=preload' }, {})],
    ['addTrailers', one({ X: 'y' })],
  ] as const),
  ['setHeader', one('Content-Length', 'Transfer-Encoding', 'Connection', 'a b'), one('3', 'close', 'chunked', 'x\ny')],
]
const REQUEST: Menu = [
  ...STREAM,
  ...([['end'], ['end', bytes], ['end'], ['end'], ['abort'], ['abort'], ['flushHeaders'], ['setTimeout', ms]] as const),
  ...([['setNoDelay'], ['setSocketKeepAlive', one(true)]] as const),
]
const MESSAGE: Menu = [
  ...([
    ['destroy'],
    ['destroy', error],
    ['pause'],
    ['resume'],
    ['setTimeout', ms],
    ['throw'],
    ['read'],
    ['reject'],
  ] as const),
  ...([
    ['setEncoding', one('utf8')],
    ['removeAllListeners', one('data', 'error')],
    ['unpipe'],
    ['push', one('x', null)],
  ] as const),
]
const WEBSOCKET: Menu = [
  ...([
    ['send', one('hi', '', 'x'.repeat(70_000))],
    ['send', one('hi'), then],
    ['close'],
    ['terminate'],
    ['throw'],
  ] as const),
  ...([
    ['close', one(1000, 1001, 3000, 999, 5)],
    ['ping'],
    ['pong'],
    ['pause'],
    ['resume'],
    ['ping', one('x'.repeat(126))],
  ] as const),
]
const FETCH: Menu = [['abort'], ['throw'], ['start'], ['reject']]
const AGENT: Menu = [['destroy']]

const MENUS: Readonly<Record<Role, Menu>> = {
  ...{ server: SERVER, accepted: SOCKET, client: SOCKET, upgraded: SOCKET, incoming: MESSAGE, reply: MESSAGE },
  ...{ response: RESPONSE, request: REQUEST, peer: WEBSOCKET, websocket: WEBSOCKET, fetch: FETCH, agent: AGENT },
}

const EVENTS: Readonly<Record<Role, readonly string[]>> = {
  server: ['listening', 'connection', 'close'],
  accepted: ['accepted', 'accepted', 'data', 'data', 'drain', 'end', 'close', 'error', 'finish', 'timeout'],
  upgraded: ['upgrade', 'connect', 'clientError', 'data', 'end', 'close', 'error'],
  client: ['connect', 'connect', 'ready', 'data', 'data', 'drain', 'end', 'close', 'error', 'finish', 'timeout'],
  incoming: [
    'request',
    'request',
    'request',
    'data',
    'end',
    'close',
    'error',
    'aborted',
    'checkContinue',
    'checkExpectation',
  ],
  response: ['finish', 'close', 'drain', 'error', 'timeout'],
  request: ['socket', 'response', 'finish', 'close', 'error', 'timeout', 'continue', 'information', 'drain'],
  reply: ['data', 'data', 'end', 'close', 'error', 'aborted'],
  peer: ['connection', 'connection', 'message', 'close', 'ping', 'error'],
  websocket: ['open', 'open', 'message', 'close', 'ping', 'error'],
  fetch: ['response', 'data', 'end'],
  agent: [],
}

function when(random: Chance): When {
  if (random.coin(0.6)) return 'now'
  return pick<When>(random, ['tick', 'microtask', 'immediate', 0, 5, 20])
}

function actions(random: Chance, menu: Menu, depth: number, on: Target = 'this'): Action[] {
  return Array.from({ length: random.integer(1, depth > 0 ? 1 : 2) }, () => action(random, menu, depth, on))
}

function action(random: Chance, menu: Menu, depth: number, on: Target): Action {
  const [call, ...args] = pick(random, menu)
  const at = when(random)
  return {
    ...{ on, call },
    ...(args.length > 0 && { args: args.map((arg) => arg(random, depth)) }),
    ...(at !== 'now' && { when: at }),
  }
}

function reactions(random: Chance, roles: readonly Role[], most: number): Reaction[] {
  return Array.from({ length: random.integer(1, most) }, () => {
    const role = pick(random, roles)
    const target = random.coin(0.75) ? role : pick(random, roles)
    const on = target === role ? 'this' : target
    const nth = random.coin(0.6) ? { nth: random.integer(0, 1) } : {}
    return { role, event: pick(random, EVENTS[role]), ...nth, does: actions(random, MENUS[target], 0, on) }
  })
}

/** What a server of HTTP does with each request, so that most get an answer. */
function answers(random: Chance): Reaction[] {
  if (random.coin(0.15)) return []
  const end: Action = { on: 'response', call: 'end', args: [{ bytes: random.coin(0.1) ? BODY : pick(random, DATA) }] }
  const event = random.coin(0.8) ? 'request' : 'end'
  return [{ role: 'incoming', event, does: [random.coin(0.2) ? { ...end, when: 10 } : end] }]
}

function timed(random: Chance, roles: readonly Role[]): Program['timed'] {
  return Array.from({ length: random.integer(0, 2) }, () => {
    const role = pick(random, roles)
    return { atMs: pick(random, [2, 10, 25, 40]), does: { ...action(random, MENUS[role], 0, role), when: 'now' } }
  })
}

function netServer(random: Chance): Server {
  const options = {
    ...(random.coin(0.4) && { allowHalfOpen: true }),
    ...(random.coin(0.1) && { pauseOnConnect: true }),
    ...(random.coin(0.1) && { noDelay: true, keepAlive: true }),
    ...(random.coin(0.1) && { highWaterMark: pick(random, [1, 1000, 1_000_000]) }),
  }
  return { kind: 'net', options, listen: random.coin(0.1) ? { backlog: 1 } : {} }
}

function httpServer(random: Chance): Server {
  const options = {
    ...(random.coin(0.2) && { keepAliveTimeout: pick(random, [1, 10, 30]) }),
    ...(random.coin(0.2) && {
      requestTimeout: 20,
      headersTimeout: pick(random, [10, 20]),
      connectionsCheckingInterval: 10,
    }),
    ...(random.coin(0.1) && { maxHeaderSize: 100 }),
    ...(random.coin(0.1) && { insecureHTTPParser: true }),
    ...(random.coin(0.1) && { requireHostHeader: false }),
    ...(random.coin(0.1) && { highWaterMark: 100 }),
    ...(random.coin(0.1) && { rejectNonStandardBodyWrites: true }),
  }
  return { kind: 'http', options }
}

function netClient(random: Chance, draw: ((random: Chance) => Bytes) | undefined): Client {
  const options = {
    ...(random.coin(0.4) && { allowHalfOpen: true }),
    ...(random.coin(0.1) && { host: 'localhost' }),
    ...(random.coin(0.1) && { timeout: pick(random, [5, 20]) }),
    ...(random.coin(0.05) && { port: 1 }),
    ...(random.coin(0.1) && { highWaterMark: pick(random, [1, 100_000]) }),
  }
  const sends = Array.from({ length: draw === undefined ? 0 : random.integer(1, 3) }, (_, nth) => {
    return { bytes: draw!(random), afterMs: 10 * nth }
  })
  return { kind: 'net', options, afterMs: pick(random, [0, 0, 0, 5]), count: pick(random, [1, 1, 1, 2, 5]), sends }
}

function httpClient(random: Chance): Client {
  const options = {
    method: pick(random, ['GET', 'GET', 'POST', 'PUT', 'HEAD', 'CONNECT', 'OPTIONS']),
    ...(random.coin(0.3) && { headers: httpHeaders(random) }),
    ...(random.coin(0.2) && { agent: false }),
    ...(random.coin(0.15) && { timeout: pick(random, [5, 20]) }),
    ...(random.coin(0.05) && { port: 1 }),
    ...(random.coin(0.1) && { insecureHTTPParser: true }),
    ...(random.coin(0.1) && { maxHeaderSize: 100 }),
  }
  return { kind: 'http', options, afterMs: pick(random, [0, 0, 5]), count: pick(random, [1, 1, 2, 6]) }
}

function httpHeaders(random: Chance): object {
  return pick(random, [
    ...[{ Expect: '100-continue' }, { Expect: '100-continue' }, { Connection: 'Upgrade', Upgrade: 'websocket' }],
    ...[{ 'Content-Length': '5' }, { 'Transfer-Encoding': 'chunked' }, { Connection: 'close' }, { Host: '' }],
    ...[{ Connection: 'Upgrade', Upgrade: 'x' }, { Expect: 'x' }, { Trailer: 'X', 'Transfer-Encoding': 'chunked' }],
  ])
}

function fetchClient(random: Chance): Client {
  const body = {
    chunks: Array.from({ length: random.integer(0, 3) }, () => pick(random, DATA)),
    ends: pick(random, ['end', 'error', 'error', 'never'] as const),
  }
  const options = {
    method: 'POST',
    redirect: 'follow',
    ...(random.coin(0.2) && { headers: { 'Content-Length': '3' } }),
  }
  const isPlain = random.coin(0.3)
  return {
    ...{ kind: 'fetch', options: isPlain ? {} : options, afterMs: 0, count: pick(random, [1, 1, 3]) },
    ...(!isPlain && { body }),
  }
}

const REQUESTS: Reaction = { role: 'request', event: 'socket', nth: 0, does: [{ on: 'this', call: 'end' }] }

/** A raw server that sends bytes to whoever connects. */
function sendsTo(random: Chance, call: string, draw: (random: Chance) => Bytes): Reaction[] {
  const send = (): Action => ({ on: 'this', call, args: [{ bytes: draw(random) }] })
  const pieces = [send(), ...(random.coin(0.4) ? [{ ...send(), call: 'write', when: 5 as const }] : [])]
  const ends: Action[] = random.coin(0.4) ? [{ on: 'this', call: pick(random, ['end', 'destroy']), when: 10 }] : []
  const event = call === 'write' ? pick(random, ['accepted', 'data']) : 'accepted'
  return [{ role: 'accepted', event, nth: 0, does: [...pieces, ...ends] }]
}

type Drawn = Pick<Program, 'server' | 'clients' | 'reactions'> & { readonly roles: readonly Role[] }

const FAMILIES: Readonly<Record<string, { readonly weight: number; draw(random: Chance): Drawn }>> = {
  sockets: {
    weight: 30,
    draw(random) {
      const roles = ['accepted', 'client', 'accepted', 'client', 'server'] as const
      const client = netClient(random, random.coin(0.6) ? (each) => pick(each, DATA) : undefined)
      return { roles, server: netServer(random), clients: [client], reactions: reactions(random, roles, 5) }
    },
  },
  'raw requests': {
    weight: 25,
    draw(random) {
      const roles = ['accepted', 'incoming', 'response', 'client', 'client', 'upgraded', 'server'] as const
      const chaos = random.coin(0.6) ? reactions(random, roles, 3) : []
      const clients = [netClient(random, hostileRequest)]
      return { roles, server: httpServer(random), clients, reactions: [...answers(random), ...chaos] }
    },
  },
  'raw responses': {
    weight: 15,
    draw(random) {
      const isFetch = random.coin(0.35)
      const roles: readonly Role[] = isFetch ? ['accepted', 'fetch'] : ['accepted', 'request', 'reply', 'client']
      const chaos = random.coin(0.5) ? reactions(random, roles, 3) : []
      const clients = [isFetch ? fetchClient(random) : httpClient(random)]
      const sends = random.coin(0.92) ? sendsTo(random, 'write', hostileResponse) : []
      return { roles, server: netServer(random), clients, reactions: [REQUESTS, ...sends, ...chaos] }
    },
  },
  http: {
    weight: 17,
    draw(random) {
      const roles: readonly Role[] = [
        ...(['incoming', 'response', 'request', 'request', 'reply', 'response'] as const),
        ...(['client', 'accepted', 'upgraded', 'server', 'agent'] as const),
      ].filter((role) => role !== 'agent')
      const chaos = reactions(random, roles, 4)
      const does: Action[] = [{ on: 'agent', call: 'destroy' }]
      if (random.coin(0.1)) chaos.push({ role: 'request', event: pick(random, EVENTS.request), does })
      const base = [...(random.coin(0.9) ? [REQUESTS] : []), ...answers(random), ...chaos]
      return { roles, server: httpServer(random), clients: [httpClient(random)], reactions: base }
    },
  },
  fetch: {
    weight: 6,
    draw(random) {
      const roles = ['incoming', 'response', 'accepted', 'fetch', 'server'] as const
      const base = [...answers(random), ...reactions(random, roles, 3)]
      return { roles, server: httpServer(random), clients: [fetchClient(random)], reactions: base }
    },
  },
  'raw frames to a server': {
    weight: 4,
    draw(random) {
      const roles = ['peer', 'client', 'accepted'] as const
      const shake = `${HANDSHAKE}${random.coin(0.5) ? hostileFrames(random) : ''}`
      const sends = [
        { bytes: random.coin(0.9) ? shake : hostileRequest(random), afterMs: 0 },
        { bytes: hostileFrames(random), afterMs: 5 },
      ]
      const options = random.coin(0.3) ? { maxPayload: 100 } : {}
      const clients = [{ ...netClient(random, undefined), sends }]
      return { roles, server: { kind: 'ws', options }, clients, reactions: reactions(random, roles, 3) }
    },
  },
  'raw frames to a client': {
    weight: 4,
    draw(random) {
      const roles = ['websocket', 'accepted'] as const
      const kind = random.coin(0.6) ? 'ws' : 'WebSocket'
      const clients: Client[] = [{ kind, options: {}, afterMs: 0, count: 1 }]
      const base = random.coin(0.9)
        ? sendsTo(random, 'acceptWebSocket', hostileFrames)
        : sendsTo(random, 'write', hostileResponse)
      return { roles, server: netServer(random), clients, reactions: [...base, ...reactions(random, roles, 3)] }
    },
  },
  'a server of WebSockets': {
    weight: 3,
    draw(random) {
      const roles = ['peer', 'websocket', 'peer', 'websocket', 'accepted', 'server'] as const
      const clients: Client[] = [{ kind: pick(random, ['ws', 'ws', 'WebSocket']), options: {}, afterMs: 0, count: 2 }]
      return { roles, server: { kind: 'ws', options: {} }, clients, reactions: reactions(random, roles, 4) }
    },
  },
  'servers that come and go': {
    weight: 5,
    draw(random) {
      const roles = ['server', 'server', 'client', 'accepted'] as const
      const kind = random.coin(0.7) ? netServer(random) : httpServer(random)
      const base: Reaction = { role: 'server', event: 'listening', does: actions(random, SERVER, 0) }
      const clients = [netClient(random, (each) => pick(each, DATA)), netClient(random, undefined)]
      return { roles, server: kind, clients, reactions: [base, ...reactions(random, roles, 4)] }
    },
  },
}

export function generate(seed: number, index: number): Program {
  const random = chance(seed, index)
  if (index % MANY_EVERY === MANY_EVERY / 2) return many(random)
  const family = drawFamily(random)
  const { roles, ...drawn } = FAMILIES[family]!.draw(random)
  const optional = [
    'upgrade',
    'connect',
    'client upgrade',
    'client connect',
    'checkContinue',
    'checkExpectation',
    'clientError',
  ]
  return {
    ...{ family, ...drawn, timed: timed(random, roles) },
    silent: roles.filter(() => random.coin(0.08)),
    deaf: roles.filter(() => random.coin(0.06)),
    hears: optional.filter(() => random.coin(0.3)),
  }
}

/** Thousands of connections. */
function many(random: Chance): Program {
  const does: Action[] = [{ on: 'this', call: pick(random, ['end', 'destroy', 'echo', 'resetAndDestroy']) }]
  const client: Client = { kind: 'net', options: {}, afterMs: 0, count: MANY, sends: [{ bytes: 'x', afterMs: 0 }] }
  return {
    ...{ family: 'thousands of connections', clients: [client], timed: [], endMs: 5000 },
    server: { kind: 'net', options: {}, listen: { backlog: 4096 } },
    reactions: [{ role: 'accepted', event: pick(random, ['accepted', 'data']), does }],
    ...{ silent: [], deaf: [], hears: [] },
  }
}

function drawFamily(random: Chance): string {
  const entries = Object.entries(FAMILIES)
  let rest = random.integer(
    1,
    entries.reduce((sum, [, { weight }]) => sum + weight, 0),
  )
  for (const [name, { weight }] of entries) {
    rest -= weight
    if (rest <= 0) return name
  }
  throw new Error('no family')
}
