// An HTTP server that replies slowly, in pieces, in part or never, and closes kept connections, with
// the law of its clients: every call settles, with its own body or an error.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc } from 'norn'

export interface Call {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

type Reply = (response: ServerResponse, body: string, id: string) => void

const head = (response: ServerResponse, body: string) => response.writeHead(200, { 'content-length': body.length })
const die = (response: ServerResponse) => setTimeout(() => response.socket?.destroy(), 2)

const REPLIES = {
  whole: (response, body) => response.end(body),
  late: (response, body) => setTimeout(() => response.end(body), 20),
  pieces: (response, body) => {
    response.write(body.slice(0, 10))
    setTimeout(() => response.end(body.slice(10)), 3)
  },
  closing: (response, body) => response.setHeader('connection', 'close').end(body),
  redirect: (response, _body, id) => response.writeHead(302, { location: `/whole/${id}` }).end('moved'),
  'redirect, half': (response, _body, id) => response.writeHead(302, { location: `/half/${id}` }).end('moved'),
  nothing: (response) => response.socket?.destroy(),
  'only a head': (response, body) => {
    head(response, body).flushHeaders()
    die(response)
  },
  half: (response, body) => {
    head(response, body).write(body.slice(0, 900))
    die(response)
  },
} satisfies Record<string, Reply>

const kinds = Object.keys(REPLIES) as (keyof typeof REPLIES)[]

export const plan = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.integer({ min: 0, max: 30 }),
    abortAfter: fc.option(fc.integer({ min: 0, max: 30 })),
    post: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
)

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export function unreliable(keepAliveTimeout = 15) {
  return http.createServer({ keepAliveTimeout }, (request, response) => {
    const [, kind = '', id = ''] = decodeURIComponent(request.url ?? '').split('/')
    const reply: Reply = REPLIES[kind as keyof typeof REPLIES]
    request.on('end', () => reply(response, bodyOf(id), id)).on('error', () => {})
    request.resume()
  })
}

/** @throws AssertionError if a call never settles, or with the body of another or part of its own */
export async function everyCallSettles(
  calls: typeof plan extends fc.Arbitrary<infer Plan> ? Plan : never,
  base: string,
  call: (call: Call) => Promise<{ status: number; body: string }>,
): Promise<void> {
  const settled = calls.map(async ({ kind, at, abortAfter, post }, index) => {
    await sleep(at)
    const controller = new AbortController()
    const timer = abortAfter === null ? undefined : setTimeout(() => controller.abort(), abortAfter)
    const url = `${base}/${encodeURIComponent(kind)}/${index}`
    const signal = abortAfter === null ? undefined : controller.signal
    const result = await call({
      url,
      method: post ? 'POST' : 'GET',
      body: post ? 'b'.repeat(3000) : undefined,
      signal,
    }).then(
      (reply) => reply,
      (error) => assert.ok(error instanceof Error),
    )
    clearTimeout(timer)
    if (result?.status === 200) assert.equal(result.body, bodyOf(String(index)), kind)
    return true
  })
  const all = await Promise.race([Promise.all(settled), sleep(60_000, undefined)])
  assert.ok(all, 'a call never settles')
}

const bodyOf = (id: string) => `${id};${'x'.repeat(2000)}`
