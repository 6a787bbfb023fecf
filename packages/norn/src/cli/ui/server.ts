/**
 * Serves the page of `norn ui` on the loopback interface.
 *
 * Invariants: it answers only to the names of this machine's loopback (DNS rebinding: a page of another
 * site whose name leads here has that name as its Host), reads nothing from a request but its path, its
 * Host and its Origin, and lets no other site read an answer (no CORS). It acts only for pages of its own
 * (browsers name the site of a POST), and for processes of its own user. It keeps nothing for a reader:
 * pages ask again, and connections, their idle time and their number are bounded.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../exit-status.ts'
import { isOthers } from './peer.ts'

export const DEFAULT_PORT = 6676
const HOST = '127.0.0.1'

const MAX_CONNECTIONS = 32
/** Real time in which a reader has to take what it asked for, in milliseconds. */
const IDLE_MS = 30_000

/** What is served: the page, its data, and what changed after a revision. */
export interface Pages {
  document(): string
  data(): string
  live(since: number): string
  readonly acts: Readonly<Record<ActName, Act>>
}

type ActName = 'open' | 'replay' | 'shrink' | 'stop'

/** Does what a page asks for, and says why not. */
type Act = (asked: URLSearchParams) => string | undefined | Promise<string | undefined>

/** Who asks for something to be done. */
export interface Sender {
  /** The header Origin. */
  readonly origin: string | undefined
  /** Whether it may be a process of another user. */
  isOthers(): boolean
}

/** An answer: its status, the type of its body, and the body. */
type Answer = readonly [status: number, type: string, body: string]

const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** @param host the header Host: a name, and a port unless it is 80 */
export function answer(
  pages: Pages,
  method: string,
  host: string | undefined,
  target: string,
  sender: Sender,
): Answer | Promise<Answer> {
  if (!isLoopback(host)) return refused(403, `norn ui answers to ${HOST} and localhost only`)
  const [path = '', query] = target.split('?')
  const asked = new URLSearchParams(query)
  const act = Object.hasOwn(pages.acts, path.slice(1)) ? pages.acts[path.slice(1) as ActName] : undefined
  if (method !== (act === undefined ? 'GET' : 'POST')) return refused(405, `norn ui does not take ${method} here`)
  if (act !== undefined) return acted(act, asked, host!, sender)
  switch (path) {
    case '/':
      return [200, 'text/html; charset=utf-8', pages.document()]
    case '/data':
      return [200, 'application/json', pages.data()]
    case '/live': {
      const since = Number(asked.get('since'))
      return [200, 'application/json', pages.live(Number.isSafeInteger(since) ? since : 0)]
    }
    default:
      return refused(404, 'no such page')
  }
}

async function acted(act: Act, asked: URLSearchParams, host: string, { origin, isOthers }: Sender): Promise<Answer> {
  // Every browser sends the header with a POST.
  if (origin?.toLowerCase() !== `http://${host.toLowerCase()}`)
    return refused(403, 'norn ui acts for its own page only')
  if (isOthers()) return refused(403, 'norn ui acts for its own user only')
  return [200, 'application/json', JSON.stringify({ refused: await act(asked) })]
}

function refused(status: number, why: string): Answer {
  return [status, 'text/plain; charset=utf-8', `${why}\n`]
}

/** A forwarded port has another number, so any is right. */
function isLoopback(host: string | undefined): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i.test(host ?? '')
}

export interface Serving {
  /** `http://127.0.0.1:6676/` */
  readonly address: string
  /** Ends it, and every connection. */
  close(): void
}

/**
 * @param port 0 for a free one
 * @throws UsageError if the port cannot be used
 */
export async function serve(pages: Pages, port: number): Promise<Serving> {
  const server = createServer(async ({ method = '', headers: { host, origin }, url = '/', socket }, response) => {
    const sender = { origin, isOthers: () => isOthers(socket) }
    const [status, type, body] = await answer(pages, method, host, url, sender)
    response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body)
  })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = IDLE_MS
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, HOST, resolve)
  try {
    await listening
  } catch (error) {
    throw new UsageError(refusal(port, error as NodeJS.ErrnoException))
  }
  return {
    address: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function refusal(port: number, { code, message }: NodeJS.ErrnoException): string {
  const why = { EADDRINUSE: 'is in use', EACCES: 'needs privileges' }[code ?? ''] ?? `cannot be used (${message})`
  return `--port: port ${port} ${why}: choose another, or 0 for a free one`
}
