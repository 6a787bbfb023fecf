/** The server of `norn ui`: whom it answers, and with what. */
import { afterEach, describe, expect, it } from 'vitest'
import { userOf } from '../../../src/cli/ui/peer.ts'
import { answer, type Pages, type Sender, type Serving, serve } from '../../../src/cli/ui/server.ts'

const done: string[] = []
const act = (name: string) => (asked: URLSearchParams) => {
  done.push(`${name} ${asked}`)
  return asked.has('failure') ? undefined : 'there is none'
}
const PAGES: Pages = {
  document: () => '<html>',
  data: () => '{"data":1}',
  live: (since) => `{"since":${since}}`,
  acts: { open: act('open'), replay: act('replay'), shrink: act('shrink'), stop: act('stop') },
}
const LOCAL = '127.0.0.1:6676'
const OWN: Sender = { origin: `http://${LOCAL}`, isOthers: () => false }

const statusOf = async (host: string | undefined, method = 'GET', target = '/') =>
  (await answer(PAGES, method, host, target, OWN))[0]

describe('an answer', () => {
  it('is the page, its data, or what changed after a revision', async () => {
    const get = async (target: string) => answer(PAGES, 'GET', LOCAL, target, OWN)
    expect(await get('/')).toEqual([200, 'text/html; charset=utf-8', '<html>'])
    expect(await get('/data')).toEqual([200, 'application/json', '{"data":1}'])
    expect((await get('/live?since=12'))[2]).toBe('{"since":12}')
    for (const target of ['/live', '/live?since=x', '/live?since=1e99'])
      expect((await get(target))[2]).toBe('{"since":0}')
    expect((await get('/etc/passwd'))[0]).toBe(404)
  })

  it.each(['127.0.0.1', '127.0.0.1:80', 'localhost:6676', 'LOCALHOST'])('goes to %s', async (host) => {
    expect(await statusOf(host)).toBe(200)
  })

  // DNS rebinding: the name of another site may lead here.
  it.each([
    undefined,
    '',
    'example.com',
    'example.com:6676',
    '127.0.0.1.example.com',
    'localhost.example.com:6676',
    'example.com#127.0.0.1',
    '127.0.0.1:6676@example.com',
    '[::1]:6676',
  ])('does not go to %s', async (host) => {
    for (const target of ['/', '/data', '/live', '/nothing']) expect(await statusOf(host, 'GET', target)).toBe(403)
    expect(await statusOf(host, 'POST', '/replay?failure=a')).toBe(403)
    expect(done).toEqual([])
  })

  it.each(['POST', 'PUT', 'OPTIONS', 'DELETE', 'HEAD'])('is none to %s', async (method) => {
    expect(await statusOf(LOCAL, method)).toBe(405)
  })
})

describe('what a page asks norn to do', () => {
  const post = (target: string, sender: Partial<Sender> = {}, host = LOCAL) =>
    answer(PAGES, 'POST', host, target, { ...OWN, ...sender })
  afterEach(() => done.splice(0))

  it('is done for a page of norn itself, which hears why not', async () => {
    expect(await post('/replay?failure=a%20b')).toEqual([200, 'application/json', '{}'])
    expect(await post('/open?file=1&line=2')).toEqual([200, 'application/json', '{"refused":"there is none"}'])
    expect(done).toEqual(['replay failure=a+b', 'open file=1&line=2'])
    // A forwarded port has another number.
    expect((await post('/stop', { origin: 'http://localhost:9000' }, 'localhost:9000'))[0]).toBe(200)
  })

  it.each([
    undefined,
    'null',
    'http://example.com',
    'https://127.0.0.1:6676',
    'http://127.0.0.1:6677',
    'http://localhost:6676',
  ])('is not done for the origin %s', async (origin) => {
    for (const what of ['open', 'replay', 'shrink', 'stop'])
      expect((await post(`/${what}?failure=a`, { origin }))[0]).toBe(403)
    expect(done).toEqual([])
  })

  it('is not done for another user of the machine, nor by a link', async () => {
    expect((await post('/shrink?failure=a', { isOthers: () => true }))[0]).toBe(403)
    expect(await statusOf(LOCAL, 'GET', '/shrink?failure=a')).toBe(405)
    for (const target of ['/constructor', '/acts', '/']) expect((await post(target))[0]).toBe(405)
    expect(done).toEqual([])
  })

  it('the user of a connection is that of its other end', () => {
    const row = (local: string, remote: string, user: number) =>
      `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${user}        0 590 1 0000 100 0 0 10 0`
    const [norn, reader] = ['0100007F:1A14', '0100007F:8000']
    const table = ['  sl  local_address rem_address', row(norn, reader, 7), row(reader, norn, 1000)].join('\n')
    expect(userOf(table, 0x8000, 0x1a14)).toBe(1000)
    expect(userOf(table, 0x8001, 0x1a14)).toBeUndefined()
    const mapped = (address: string) => `0000000000000000FFFF0000${address}`
    expect(userOf(row(mapped(reader), mapped(norn), 1001), 0x8000, 0x1a14)).toBe(1001)
  })
})

describe('the server', () => {
  let served: Serving | undefined
  afterEach(() => served?.close())

  it('lets no other site read, frame or keep an answer', async () => {
    served = await serve(PAGES, 0)
    const response = await fetch(served.address, { headers: { origin: 'http://example.com' } })
    expect(await response.text()).toBe('<html>')
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('acts for a process of its own user, whose origin is its own', async () => {
    served = await serve(PAGES, 0)
    const post = (origin: string) =>
      fetch(`${served!.address}replay?failure=a`, { method: 'POST', headers: { origin } })
    expect((await post(new URL(served.address).origin)).status).toBe(200)
    expect((await post('http://example.com')).status).toBe(403)
    expect(done.splice(0)).toEqual(['replay failure=a'])
  })

  it('says what to do where its port is in use', async () => {
    served = await serve(PAGES, 0)
    const port = Number(new URL(served.address).port)
    await expect(serve(PAGES, port)).rejects.toThrow(
      `--port: port ${port} is in use: choose another, or 0 for a free one`,
    )
  })
})
