// ioredis 4.16.0 -> 4.16.1
//
// The race: the connection is dropped when a part of a pipeline's replies has arrived. The client connects again and
// hands the other commands back to the pipeline, which sends them when it has as many as it had at first: never. exec()
// waits for ever. 4.16.1 fails what is left ("abort incomplete pipelines upon reconnect", change 1084).
//
// Zero input: a pipeline of one command, dropped after 1 ms. Under the default schedule the server is done by then, so
// no input fails; an operation that is delayed leaves the pipeline half done.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFile, mkdtemp } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Redis from 'ioredis-pipeline-buggy'
import { fc, fuzz } from 'norn'

const patience_ms = 10_000
const replies: Record<string, string> = { incr: ':1\r\n', info: '$11\r\nloading:0\r\n\r\n' }

/** Answers commands one after the other; each is logged before. */
async function serve(socket: Socket, log: string): Promise<void> {
  let input = ''
  for await (const chunk of socket) {
    const commands: string[] = []
    input = `${input}${chunk}`.replace(/\*(1\r\n\$4\r\ninfo|2\r\n\$4\r\nincr\r\n\$1\r\na)\r\n/g, (command) => {
      commands.push(command.includes('info') ? 'info' : 'incr')
      return ''
    })
    for (const command of commands) {
      await appendFile(log, `${command}\n`)
      socket.write(replies[command]!)
    }
  }
}

fuzz(
  'ioredis: a pipeline ends, whatever becomes of its connection',
  { commands: fc.integer({ min: 1, max: 4 }), drop_at_ms: fc.integer({ min: 1, max: 10 }) },
  async ({ commands, drop_at_ms }) => {
    const log = join(await mkdtemp(join(tmpdir(), 'norn-')), 'commands.log')
    const connections: Socket[] = []
    const server = createServer((socket) => {
      connections.push(socket)
      serve(socket, log).catch(() => {})
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const redis = new Redis((server.address() as AddressInfo).port, '127.0.0.1')
    redis.on('error', () => {})
    await once(redis, 'ready')

    const pipeline = redis.pipeline()
    for (let command = 0; command < commands; command++) pipeline.incr('a')
    const ended = pipeline.exec().then(
      () => 'ended',
      () => 'failed',
    )
    await sleep(drop_at_ms)
    connections[0]!.destroy()
    const outcome = await Promise.race([ended, sleep(patience_ms, 'waits')])
    assert.notEqual(outcome, 'waits', 'exec() waits for ever')

    redis.disconnect()
    server.close()
    await once(server, 'close')
  },
)
