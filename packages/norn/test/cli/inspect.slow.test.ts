/**
 * `norn replay --inspect`: a debugger attaches, and stops where the body of the failing execution
 * begins.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { ended, project, start } from './project.ts'

const here = project({
  'sum.fuzz.ts': `import { fc, fuzz } from 'norn'

fuzz('sums are small', { n: fc.integer({ min: 0, max: 1000 }) }, ({ n }) => {
  if (n > 100) throw new Error('too large')
})
`,
})

interface Message {
  readonly id?: number
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: what a message of the protocol holds depends on its method
  readonly params?: any
}

/** A debugger, as far as this needs one: the Chrome DevTools protocol over a WebSocket. */
async function attach(url: string) {
  const socket = new WebSocket(url)
  const paused: Message[] = []
  const scripts = new Map<string, string>()
  const waiting: ((message: Message) => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method === 'Debugger.scriptParsed') scripts.set(message.params.scriptId, message.params.url)
    if (message.method !== 'Debugger.paused') return
    const next = waiting.shift()
    if (next === undefined) paused.push(message)
    else next(message)
  })
  await new Promise((open) => socket.addEventListener('open', open))
  let id = 0
  return {
    send: (method: string) => socket.send(JSON.stringify({ id: ++id, method })),
    nextPause: () =>
      new Promise<Message>((resolve) => (paused.length > 0 ? resolve(paused.shift()!) : waiting.push(resolve))),
    /** The file in which a pause is. */
    fileOf: ({ params }: Message) => scripts.get(params.callFrames[0].location.scriptId),
    close: () => socket.close(),
  }
}

describe('the debugger', () => {
  beforeAll(async () => {
    const { status } = await here.call('fuzz', 'sum.fuzz.ts', '--runs', '200', '--seed', '1')
    expect(status).toBe(1)
  })

  it('stops where the body begins, with the failing input, and the replay ends as ever', async () => {
    const [failure] = here.failures()
    const child = start(here.root, ['replay', failure!, '--inspect'])
    const url = await new Promise<string>((found) => {
      let printed = ''
      child.stderr!.on('data', (chunk: Buffer) => {
        printed += chunk
        const match = /ws:\/\/\S+/.exec(printed)
        if (match !== null) found(match[0])
      })
    })
    const outcome = ended(child)
    const debug = await attach(url)
    debug.send('Debugger.enable')
    // Node prints its address before it waits, and forgets what it is told in between.
    const telling = setInterval(() => debug.send('Runtime.runIfWaitingForDebugger'), 100)
    await debug.nextPause()
    clearInterval(telling)
    debug.send('Debugger.stepInto')
    await debug.nextPause()
    debug.send('Debugger.stepInto')
    expect(debug.fileOf(await debug.nextPause())).toMatch(/sum\.fuzz\.ts$/)
    debug.send('Debugger.resume')
    debug.close()
    const { status, stdout } = await outcome
    expect(stdout).toContain('too large')
    expect(status).toBe(1)
  })
})
