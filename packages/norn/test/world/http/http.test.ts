/** What HTTP keeps below its JavaScript: connections with their timeouts, and the date. */
import http from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { EPOCH_MS } from '../../../src/contract/wall-clock.ts'
import { internalBinding } from '../../../src/loader/internals.ts'
import { interceptHttp } from '../../../src/world/http/http.ts'
import { NativeCalls } from '../../../src/world/streams/native-calls.ts'

interface Parser {
  initialize(type: number, resource: object, maxHeaderSize: number, flags: number, list: object): void
  execute(bytes: Buffer): unknown
  remove(): void
}
interface Connections {
  all(): Parser[]
  idle(): Parser[]
  active(): Parser[]
  expired(headersMs: number, requestMs: number): Parser[]
}
const { HTTPParser, ConnectionsList } = internalBinding<{
  HTTPParser: { new (): Parser; REQUEST: number }
  ConnectionsList: new () => Connections
}>('http_parser')

let isActive = true
let now = 0
interceptHttp({
  active: () => isActive,
  nowUs: () => now,
  wallMsAt: (us) => EPOCH_MS + us / 1000,
  calls: new NativeCalls({ active: () => isActive, stopped: () => false, caught: () => {} }),
  streamOf: () => undefined,
})
beforeEach(() => {
  now = 0
})
afterAll(() => {
  isActive = false
})

function connect(list: object): Parser {
  const parser = new HTTPParser()
  parser.initialize(HTTPParser.REQUEST, {}, 0, 0, list)
  return parser
}

const HEAD = Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n')

describe('a connection', () => {
  test('is active from being accepted to the end of a message, then idle', () => {
    const list = new ConnectionsList()
    const [one, two] = [connect(list), connect(list)]
    one.execute(HEAD)
    expect([list.active(), list.idle()]).toEqual([[one, two], []])
    one.execute(Buffer.from('x'))
    expect([list.active(), list.idle(), list.all()]).toEqual([[two], [one], [two, one]])
    two.remove()
    expect([list.active(), list.all()]).toEqual([[], [one]])
  })

  test('expires once, without its headers', () => {
    const list = new ConnectionsList()
    const parser = connect(list)
    now = 10_000
    expect(list.expired(10, 0)).toEqual([])
    now++
    expect([list.expired(0, 0), list.expired(10, 0), list.expired(10, 0)]).toEqual([[], [parser], []])
  })

  test('does not expire for its headers once they have come, but without its body', () => {
    const list = new ConnectionsList()
    const parser = connect(list)
    parser.execute(HEAD)
    now = 20_001
    expect(list.expired(10, 0)).toEqual([])
    expect(list.expired(10, 20)).toEqual([parser])
  })

  test('does not expire while it is idle, and its time begins with the next message', () => {
    const list = new ConnectionsList()
    const parser = connect(list)
    parser.execute(Buffer.concat([HEAD, Buffer.from('x')]))
    now = 50_000
    expect(list.expired(10, 20)).toEqual([])
    parser.execute(HEAD.subarray(0, 5))
    expect(list.expired(10, 20)).toEqual([])
    now = 60_001
    expect(list.expired(10, 20)).toEqual([parser])
  })
})

test('the date is that of the virtual clock', () => {
  const response = new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never)
  now = 3_500_000
  response.writeHead(200)
  const { _header: header } = response as unknown as { _header: string }
  expect(header).toContain(`\r\nDate: ${new Date(EPOCH_MS + 3000).toUTCString()}\r\n`)
})
