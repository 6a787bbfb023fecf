// Three clients of a line protocol over TCP, each with three commands on one connection, the next one after
// the answer. The server's memory goes wrong in one order of the first six of nine commands.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fuzz } from 'norn'

fuzz('counters: nine commands never meet in the one order that wraps', {}, async () => {
  let memory = ''
  const server = createServer((socket) => {
    createInterface(socket).on('line', (line) => {
      memory += line.at(-1)
      socket.write(`OK ${memory.length}\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = async (name: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    for (const command of ['INCR', 'DECR', 'INCR']) {
      socket.write(`${command} ${name}\n`)
      await once(socket, 'data')
    }
    socket.end()
  }
  await Promise.all(['a', 'b', 'c'].map(client))
  assert.ok(!memory.startsWith('baccab'), memory)
  server.close()
})
