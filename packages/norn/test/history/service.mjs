/**
 * A service over stdio: node `a` has a register and a lock, node `b` passes requests on. Each argument breaks it:
 * `stale` lets `b` answer reads from the copy that `a` sends it, `forgetful` loses the lock when `a` crashes.
 */
import { readSync, writeSync } from 'node:fs'

const modes = process.argv.slice(2)
const empty = () => ({ value: null, isHeld: false, answered: [] })
let disk = empty()
let copy = null

function answerOf({ command, node, number, request, message }) {
  switch (command) {
    case 'hello':
      return { protocol: 1, nodes: ['a', 'b'] }
    case 'reset':
      disk = empty()
      copy = null
      return {}
    case 'crash':
      if (node === 'b') copy = null
      else if (modes.includes('forgetful')) disk.isHeld = false
      return {}
    case 'request':
      if (node === 'a') return serve(number, request)
      if (modes.includes('stale') && request.f === 'read') return { replies: [{ number, reply: copy }] }
      return { sent: [{ to: 'a', message: { number, request } }] }
    case 'deliver':
      if (node === 'a') return serve(message.number, message.request)
      copy = message.value
      return {}
    case 'start':
    case 'restart':
      return {}
    default:
      return { error: `unknown command ${command}` }
  }
}

/** A message may arrive twice. */
function serve(number, request) {
  if (disk.answered.includes(number)) return {}
  disk.answered.push(number)
  return { replies: [{ number, reply: resultOf(request) }], sent: [{ to: 'b', message: { value: disk.value } }] }
}

function resultOf({ f, value }) {
  switch (f) {
    case 'read':
      return disk.value
    case 'write':
      disk.value = value
      return 'written'
    default: {
      const isAcquire = f === 'acquire'
      if (disk.isHeld === isAcquire) return 'refused'
      disk.isHeld = isAcquire
      return 'done'
    }
  }
}

// Not by readline, which ends lines at U+2028 too.
const buffer = Buffer.alloc(64 * 1024)
let rest = Buffer.alloc(0)
for (let size = readSync(0, buffer); size > 0; size = readSync(0, buffer)) {
  rest = Buffer.concat([rest, buffer.subarray(0, size)])
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    const { id, ...command } = JSON.parse(rest.toString('utf8', 0, end))
    rest = rest.subarray(end + 1)
    writeSync(1, `${JSON.stringify({ id, ...answerOf(command) })}\n`)
  }
}
