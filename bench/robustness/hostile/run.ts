/**
 * Runs a hostile program once. The outcome is the set of what each kind of object showed: events,
 * codes of errors, exceptions that calls threw, and who is open at the end. Neither order nor
 * number counts. A program ends by itself: when nothing is open, or at a deadline.
 *
 * Imports nothing of norn, so that stock Node can run it.
 */
import { EventEmitter } from 'node:events'
import http from 'node:http'
import { createRequire } from 'node:module'
import net, { type AddressInfo } from 'node:net'
import { CALLS } from './calls.ts'
import { type Action, type Arg, bytesOf, type Client, type Program, type Role, type Target } from './program.ts'

const END_MS = 120
const LOOK_MS = 10
/** After the end, for what the end itself causes. */
const AFTER_MS = 10
/** Times that one reaction of an object runs, and that clients start, so that no program is endless. */
const MAX_TIMES = 50

const SOCKET = ['connect', 'ready', 'end', 'drain', 'finish', 'timeout', 'close']
const MESSAGE = ['end', 'close', 'aborted', 'pause', 'resume']
const EVENTS: Readonly<Record<Role, readonly string[]>> = {
  server: ['listening', 'close'],
  accepted: SOCKET,
  upgraded: SOCKET,
  client: SOCKET,
  incoming: MESSAGE,
  reply: MESSAGE,
  response: ['finish', 'close', 'drain', 'timeout'],
  request: ['finish', 'close', 'drain', 'timeout', 'abort', 'continue', 'information'],
  peer: ['open', 'message', 'close', 'ping', 'pong'],
  websocket: ['open', 'message', 'close', 'ping', 'pong'],
  fetch: ['response', 'data', 'end', 'close'],
  agent: [],
}
/** Events that change what Node does when somebody listens. */
const OPTIONAL: Partial<Record<Role, readonly string[]>> = {
  server: ['checkContinue', 'checkExpectation', 'clientError', 'dropRequest', 'drop', 'timeout'],
  websocket: ['unexpected-response'],
}

type Links = Partial<Record<Target, object>>

export interface Context {
  readonly program: Program
  port: number
  log(what: string): void
  /** Starts a client. */
  start(client: Client): void
  readonly aborts: AbortController[]
  /** Objects to destroy at the end. */
  readonly keeps: { close?(): void; destroy?(): void }[]
  perform(actions: readonly Action[], links: Links): void
}

export async function run(program: Program): Promise<string> {
  const seen = new Set<string>()
  const open = new Map<object, Role>()
  const latest: Links = {}
  let isOver = false
  let waiting = 0
  let starts = 0

  const context: Context = {
    program,
    port: 1,
    aborts: [],
    keeps: [],
    log: (what) => {
      if (!isOver) seen.add(what)
    },
    start: (client) => {
      if (starts++ >= MAX_TIMES) return
      for (let nth = 0; nth < client.count; nth++) START[client.kind](client)
    },
    perform,
  }
  const { log } = context

  function later(when: Action['when'], action: () => void): void {
    if (when === undefined || when === 'now') {
      action()
      return
    }
    waiting++
    const run = () => {
      waiting--
      if (!isOver) action()
    }
    if (when === 'tick') process.nextTick(run)
    else if (when === 'microtask') Promise.resolve().then(run)
    else if (when === 'immediate') setImmediate(run)
    else setTimeout(run, when)
  }

  function perform(actions: readonly Action[], links: Links): void {
    for (const action of actions) later(action.when, () => call(action, links))
  }

  // biome-ignore lint/suspicious/noExplicitAny: any method of any object
  function call({ on, call, args = [] }: Action, links: Links): any {
    const special = CALLS[call]
    const target = links[on] ?? latest[on]
    if (target === undefined) return
    const values = args.map((arg) => argument(arg, links))
    if (call === 'throw') throw Object.assign(new Error('thrown'), { code: 'THROWN' })
    try {
      const method = (target as Record<string, unknown>)[call]
      const result =
        special !== undefined
          ? special(target, values, context)
          : typeof method === 'function'
            ? Reflect.apply(method, target, values)
            : undefined
      if (result instanceof Promise) result.catch((error) => log(`${on}.${call} rejected ${nameOf(error)}`))
    } catch (error) {
      log(`${on}.${call} threw ${nameOf(error)}`)
    }
  }

  function argument(arg: Arg, links: Links): unknown {
    if ('bytes' in arg) return bytesOf(arg.bytes)
    if ('error' in arg) return Object.assign(new Error(arg.error), { code: arg.error })
    if ('value' in arg) return arg.value
    return (error?: unknown) => {
      if (error instanceof Error) log(`callback ${nameOf(error)}`)
      else log('callback')
      if (!isOver) perform(arg.callback, links)
    }
  }

  /** Logs the events of an object, and reacts to them. */
  function watch(role: Role, subject: object, given: Links = {}): Links {
    const links: Links = { ...given, this: subject, [role]: subject }
    latest[role] = subject
    const emitter = subject as EventEmitter
    const reactions = program.reactions.filter((each) => each.role === role)
    const times = new Map<string, number>()
    const react = (event: string, detail = '') => {
      log(`${role} ${event}${detail}`)
      if (event === 'close' || event === 'end') closedBy(role, subject, event)
      const nth = times.get(event) ?? 0
      times.set(event, nth + 1)
      if (isOver || nth >= MAX_TIMES) return
      for (const each of reactions) if (each.event === event && (each.nth ?? nth) === nth) perform(each.does, links)
    }
    const optional = (OPTIONAL[role] ?? []).filter((event) => program.hears.includes(event))
    const isRead = !program.silent.includes(role)
    const data = isRead && !['server', 'response', 'request', 'peer', 'websocket', 'agent', 'fetch'].includes(role)
    for (const event of [...EVENTS[role], ...optional, ...(data ? ['data'] : [])])
      emitter.on(event, (...args: unknown[]) => react(event, detailOf(event, args)))
    if (!program.deaf.includes(role)) emitter.on('error', (error) => react('error', ` ${nameOf(error)}`))
    if (role !== 'agent') open.set(subject, role)
    links.this = subject
    reactors.set(subject, react)
    return links
  }
  const reactors = new WeakMap<object, (event: string, detail?: string) => void>()

  function closedBy(role: Role, subject: object, event: string): void {
    if (event === 'close' || role === 'fetch') open.delete(subject)
  }

  function keep<Kept extends object>(kept: Kept): Kept {
    context.keeps.push(kept as Context['keeps'][number])
    return kept
  }

  /** A signal that actions can abort. */
  function abortable(): AbortSignal {
    const controller = new AbortController()
    context.aborts.push(controller)
    return controller.signal
  }

  const agent = new http.Agent({ keepAlive: true, maxSockets: 4, timeout: 40 })
  keep(agent)
  latest.agent = agent

  function exchange(incoming: object, response: object): Links {
    const links: Links = { incoming, response, accepted: (incoming as http.IncomingMessage).socket }
    watch('incoming', incoming, links)
    watch('response', response, links)
    return links
  }

  function createServer(): net.Server {
    const { kind, options } = program.server
    if (kind === 'net') return net.createServer(options)
    const server = http.createServer(options as http.ServerOptions)
    const on = (event: string) => {
      server.on(event, (incoming: object, response: object) => {
        const links = exchange(incoming, response)
        log(`server ${event}`)
        reactors.get(incoming)!(event)
        if (event !== 'request') perform([{ on: 'response', call: 'end' }], links)
      })
    }
    on('request')
    for (const event of ['checkContinue', 'checkExpectation']) if (program.hears.includes(event)) on(event)
    for (const event of ['upgrade', 'connect']) {
      if (!program.hears.includes(event)) continue
      server.on(event, (incoming: object, socket: object, head: Buffer) => {
        watch('upgraded', socket, { incoming })
        reactors.get(socket)!(event, ` ${head.length > 0 ? 'with' : 'without'} head`)
      })
    }
    if (program.hears.includes('clientError'))
      server.on('clientError', (error, socket) => {
        log(`clientError ${nameOf(error)}`)
        watch('upgraded', socket)
        reactors.get(socket)!('clientError')
      })
    if (kind === 'ws') {
      const { Server } = ws()
      const sockets = keep(new Server({ server, ...options }))
      sockets.on('connection', (peer: object) => {
        watch('peer', peer, { accepted: (peer as { _socket: object })._socket })
        reactors.get(peer)!('connection')
      })
      for (const event of ['error', 'wsClientError'])
        sockets.on(event, (error: unknown) => log(`ws ${event} ${nameOf(error)}`))
    }
    return server
  }

  const START: Readonly<Record<Client['kind'], (client: Client) => void>> = {
    net({ options, sends = [] }) {
      const signal = abortable()
      const socket = keep(
        net.connect({ port: context.port, host: '127.0.0.1', signal, ...options } as net.NetConnectOpts),
      )
      watch('client', socket)
      for (const { bytes, afterMs } of sends) {
        const write = () => void (socket.writable && socket.write(bytesOf(bytes)))
        if (afterMs === 0) write()
        else later(afterMs, write)
      }
    },
    http({ options }) {
      const base = { port: context.port, host: '127.0.0.1', signal: abortable(), agent }
      const request = keep(http.request({ ...base, ...options } as http.RequestOptions))
      const links = watch('request', request)
      request.on('socket', (socket) => {
        log('request socket')
        links.client = socket
        if (!open.has(socket) && !socket.destroyed) watch('client', socket, links)
        reactors.get(request)!('socket')
      })
      request.on('response', (reply) => {
        log(`request response ${reply.statusCode}`)
        watch('reply', reply, links)
        reactors.get(request)!('response')
      })
      for (const event of ['upgrade', 'connect']) {
        if (!program.hears.includes(`client ${event}`)) continue
        request.on(event, (reply: http.IncomingMessage, socket: net.Socket) => {
          keep(socket)
          watch('upgraded', socket, links)
          reactors.get(socket)!(event, ` ${reply.statusCode}`)
        })
      }
    },
    fetch({ options, body }) {
      const subject = new EventEmitter()
      watch('fetch', subject)
      request(subject, { ...options, signal: abortable(), ...(body && { body: streamOf(body), duplex: 'half' }) }).then(
        () => subject.emit('end'),
        (error) => {
          const { cause } = error as { cause?: unknown }
          log(`fetch ${nameOf(error)}${cause === undefined ? '' : ` because ${nameOf(cause)}`}`)
          reactors.get(subject)!('end')
        },
      )
    },
    ws({ options }) {
      const Client = ws()
      const socket = keep(new Client(`ws://127.0.0.1:${context.port}`, options))
      watch('websocket', socket)
    },
    WebSocket() {
      const socket = keep(new WebSocket(`ws://127.0.0.1:${context.port}`))
      const subject = Object.assign(new EventEmitter(), {
        send: (data: string) => socket.send(data),
        close: (code?: number) => socket.close(code),
      })
      watch('websocket', subject)
      for (const event of ['open', 'message', 'close'])
        socket.addEventListener(event, (data) => subject.emit(event, (data as CloseEvent).code))
      socket.addEventListener('error', () => log('WebSocket error'))
    },
  }

  async function request(subject: EventEmitter, options: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${context.port}/`, options)
    log(`fetch response ${response.status}`)
    subject.emit('response')
    if (program.silent.includes('fetch')) return
    for await (const _ of response.body ?? []) subject.emit('data')
  }

  const uncaught = (error: unknown, origin: string) => log(`${origin} ${nameOf(error)}`)
  process.on('uncaughtException', uncaught)

  const server = createServer()
  watch('server', server)
  server.on('connection', (socket: net.Socket) => {
    keep(socket)
    watch('accepted', socket)
    reactors.get(server)!('connection')
    reactors.get(socket)!('accepted')
  })
  server.once('listening', () => {
    context.port = (server.address() as AddressInfo | null)?.port ?? 1
    for (const client of program.clients)
      later(client.afterMs === 0 ? 'now' : client.afterMs, () => context.start(client))
  })
  for (const { atMs, does } of program.timed) later(atMs, () => perform([does], {}))
  server.listen({ port: 0, host: '127.0.0.1', signal: abortable(), ...program.server.listen })

  await new Promise<void>((resolve) => {
    let idle = 0
    let looks = 0
    const timer = setInterval(() => {
      const others = [...open.keys()].filter((each) => each !== server).length
      idle = waiting === 0 && others === 0 ? idle + 1 : 0
      if (idle < 2 && ++looks < (program.endMs ?? END_MS) / LOOK_MS) return
      clearInterval(timer)
      resolve()
    }, LOOK_MS)
  })
  for (const role of open.values()) log(`${role} open`)
  isOver = true
  for (const each of context.aborts) each.abort()
  for (const each of context.keeps) quietly(() => each.destroy?.() ?? each.close?.())
  quietly(() => server.close())
  quietly(() => (server as http.Server).closeAllConnections?.())
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS))
  return [...seen].sort().join(', ')
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}

function streamOf({ chunks, ends }: NonNullable<Client['body']>): ReadableStream {
  const left = [...chunks]
  return new ReadableStream({
    async pull(controller) {
      const next = left.shift()
      if (next === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
      if (next !== undefined) controller.enqueue(bytesOf(next))
      else if (ends === 'end') controller.close()
      else if (ends === 'error') controller.error(Object.assign(new Error('body'), { code: 'BODY' }))
      else await new Promise(() => {})
    },
  })
}

/** A package that most programs do not need. */
function ws() {
  return createRequire(import.meta.url)('ws-fixed')
}

/** The code of an error; of one without, its name and message. */
function nameOf(error: unknown): string {
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string }
  return typeof code === 'string' ? code : `${name}: ${message}`
}

/** What an event shows beside its name. */
function detailOf(event: string, [first]: readonly unknown[]): string {
  if (event === 'close') return typeof first === 'boolean' ? (first ? ' after an error' : '') : ` ${first ?? ''}`
  if (first instanceof Error) return ` ${nameOf(first)}`
  return ''
}
