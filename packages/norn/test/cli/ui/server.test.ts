/** The server of `norn ui`: whom it answers, and with what. */
import { afterEach, describe, expect, it } from 'vitest'
import { answer, type Pages, type Serving, serve } from '../../../src/cli/ui/server.ts'

const PAGES: Pages = {
  document: () => '<html>',
  data: () => '{"data":1}',
  live: (since) => `{"since":${since}}`,
}
const LOCAL = '127.0.0.1:6676'

const statusOf = (host: string | undefined, method = 'GET', target = '/') => answer(PAGES, method, host, target)[0]

describe('an answer', () => {
  it('is the page, its data, or what changed after a revision', () => {
    const get = (target: string) => answer(PAGES, 'GET', LOCAL, target)
    expect(get('/')).toEqual([200, 'text/html; charset=utf-8', '<html>'])
    expect(get('/data')).toEqual([200, 'application/json', '{"data":1}'])
    expect(get('/live?since=12')[2]).toBe('{"since":12}')
    for (const target of ['/live', '/live?since=x', '/live?since=1e99']) expect(get(target)[2]).toBe('{"since":0}')
    expect(get('/etc/passwd')[0]).toBe(404)
  })

  it.each(['127.0.0.1', '127.0.0.1:80', 'localhost:6676', 'LOCALHOST'])('goes to %s', (host) => {
    expect(statusOf(host)).toBe(200)
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
  ])('does not go to %s', (host) => {
    for (const target of ['/', '/data', '/live', '/nothing']) expect(statusOf(host, 'GET', target)).toBe(403)
  })

  it.each(['POST', 'PUT', 'OPTIONS', 'DELETE', 'HEAD'])('is none to %s', (method) => {
    expect(statusOf(LOCAL, method)).toBe(405)
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

  it('says what to do where its port is in use', async () => {
    served = await serve(PAGES, 0)
    const port = Number(new URL(served.address).port)
    await expect(serve(PAGES, port)).rejects.toThrow(
      `--port: port ${port} is in use: choose another, or 0 for a free one`,
    )
  })
})
