/** Open mode: a real server in another process, whose clients run under norn. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Line, type Project, parsed, project } from './project.ts'

const program = (where: string, unix: string) => `import assert from 'node:assert/strict'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { fuzz } from 'norn'

async function ask(socket: Socket, line: string): Promise<string> {
  socket.write(line + '\\n')
  let answer = ''
  return new Promise((answered) => {
    const take = (bytes: Buffer) => {
      answer += bytes
      if (!answer.endsWith('\\n')) return
      socket.off('data', take)
      answered(answer.trim())
    }
    socket.on('data', take)
  })
}

async function withTwo(to: NetConnectOpts, body: (one: Socket, two: Socket) => Promise<void>): Promise<void> {
  const sockets = [connect(to), connect(to)] as const
  try {
    await body(...sockets)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

// Both read before either writes, however fast the server is.
fuzz('two connections lose no update', {}, () =>
  withTwo(${where}, async (one, two) => {
    await ask(one, 'set count 0')
    const [first, second] = await Promise.all([ask(one, 'get count'), ask(two, 'get count')])
    await Promise.all([ask(one, 'set count ' + (+first + 1)), ask(two, 'set count ' + (+second + 1))])
    assert.equal(await ask(one, 'get count'), '2', 'an update is lost')
  }),
)

fuzz('one connection keeps its order', {}, () =>
  withTwo(${where}, async (one) => {
    await ask(one, 'set own value')
    assert.equal(await ask(one, 'get own'), 'value')
    assert.equal(one.remoteAddress, '127.0.0.1')
    assert.notEqual(one.localPort, undefined)
  }),
)

fuzz('a Unix socket', {}, () =>
  withTwo({ path: ${JSON.stringify(unix)} }, async (one) => {
    assert.equal(await ask(one, 'set path value'), 'value')
  }),
)
`

let server: ChildProcess
let here: Project
let unix: string
let open: string

beforeAll(async () => {
  here = project({})
  unix = join(here.root, 'line.sock')
  const file = join(import.meta.dirname, 'line-server.ts')
  server = spawn(process.execPath, [file, unix], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(server.stdout!.setEncoding('utf8'), 'data')) as [string]
  open = `127.0.0.1:${port.trim()}`
  here.write('open.fuzz.ts', program(`{ host: '127.0.0.1', port: ${port.trim()} }`, unix))
})
afterAll(() => server.kill())

const search = (...more: string[]) => here.call('fuzz', 'open.fuzz.ts', '--seed', '1', '--runs', '300', ...more)
const lines = async (...more: string[]): Promise<Line[]> => parsed((await search(...more, '--json')).stdout)

describe('a race between clients of a real server', () => {
  it('is found, not shrunk, and counted instead of replayed', async () => {
    const [failure] = await lines('--property', 'two', '--open', open)
    expect(failure).toMatchObject({
      type: 'failure',
      message: expect.stringContaining('an update is lost'),
      shrinking: null,
    })
    expect(failure!.reproduced).toMatchObject({ of: 10, open })
    expect(failure!.reproduced.times).toBeGreaterThan(0)
  })

  it('is run ten times again by each command that replays it', async () => {
    const [path] = here.failures()
    const replayed = await here.call('replay', path!)
    expect(replayed).toMatchObject({ status: 1, stderr: '' })
    const again = await search('--property', 'two', '--open', open)
    expect(again.status).toBe(1)
    for (const { stdout } of [replayed, again]) {
      expect(stdout).toMatch(new RegExp(`reproduced in \\d+ of 10 \\(open: ${open}, so a replay is not exact\\)`))
      expect(stdout).not.toMatch(/exactly|minimal/)
    }
  })

  it('is not shrunk', async () => {
    const { status, stderr } = await here.call('shrink', here.failures()[0]!)
    expect(status).toBe(3)
    expect(stderr).toContain(`cannot shrink a failure found with --open ${open}`)
  })

  it('without --open the server is not reached, and the saved failure is named but not run', async () => {
    const { status, stdout } = await search('--property', 'two')
    expect(status).toBe(3)
    expect(stdout).toContain(`not run, because it was found with --open ${open}`)
    expect(stdout).toContain(`a connection to ${open}, where nothing in the world listens`)
    expect(stdout).toContain('with --open')
  })
})

describe('what passes', () => {
  it('names the open address, and has no estimate', async () => {
    const { status, stdout } = await search('--property', 'one connection', '--open', open, '--runs', '20')
    expect([status, stdout]).toEqual([0, expect.stringContaining('no failure')])
    expect(stdout).toContain(`open: ${open}. Real sockets, so executions do not repeat exactly`)
    expect(stdout).not.toContain('95 %')
    const [summary] = await lines('--property', 'one connection', '--open', open, '--runs', '20')
    expect(summary).toMatchObject({ type: 'summary', open, failed: 0 })
    expect(summary).not.toHaveProperty('stop')
  })

  it('also goes over a Unix socket, which the configuration may name', async () => {
    const over = async () => (await lines('--property', 'Unix', '--runs', '5'))[0]
    expect(await over()).toMatchObject({ type: 'failure', message: expect.stringContaining('ECONNREFUSED') })
    here.write('norn.config.mjs', `export default { open: [${JSON.stringify(unix)}] }`)
    const { status, stdout } = await here.norn('fuzz', 'open.fuzz.ts', '--property', 'Unix', '--runs', '5')
    expect([status, stdout]).toEqual([0, expect.stringContaining(`open: ${unix}`)])
  })
})

it.each([
  [['--open', 'db.example:5432'], 'db.example is not this machine'],
  [['--open', '127.0.0.1'], 'expected HOST:PORT'],
  [['--open', '127.0.0.1:1', '--workers', '2'], '--open takes one worker'],
])('%j is refused', async (flags, why) => {
  const { status, stderr } = await search(...flags)
  expect(status).toBe(2)
  expect(stderr).toContain(why)
})
