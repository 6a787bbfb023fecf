/**
 * A server of the tests, in a process of its own: keeps values, and answers each line `set KEY
 * VALUE` or `get KEY` with the value. Prints its port, and listens at a Unix socket too.
 */
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

const values = new Map<string, string>()

function serve(socket: Socket): void {
  socket.on('error', () => {})
  const lines = createInterface({ input: socket })
  // It reports the errors of its input, such as a reset, as its own.
  lines.on('error', () => {})
  lines.on('line', (line) => {
    const [command, key = '', value = ''] = line.split(' ')
    if (command === 'set') values.set(key, value)
    socket.write(`${values.get(key) ?? 'nothing'}\n`)
  })
}

const overTcp = createServer(serve).listen(0, '127.0.0.1', () => {
  createServer(serve).listen(process.argv[2]!, () => {
    const address = overTcp.address()
    if (address !== null && typeof address === 'object') console.log(address.port)
  })
})
