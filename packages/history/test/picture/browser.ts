/** Headless Chromium, driven by the DevTools protocol: opens a page and says what it did. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const { CHROMIUM = 'chromium', CI } = process.env

/** In CI its absence is a failure. */
export const isSkipped = spawnSync(CHROMIUM, ['--version']).error !== undefined && CI === undefined
if (isSkipped) console.warn(`skipped: there is no ${CHROMIUM}; \`node scripts/try-browser.ts --install\` installs it`)

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const POLL_MS = 50

export interface Viewport {
  readonly width: number
  readonly height: number
  readonly dark?: boolean
}

export interface OpenPage {
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>
  press(key: string): Promise<void>
  wheel(x: number, y: number, deltaY: number): Promise<void>
  /** A PNG. */
  screenshot(): Promise<Buffer>
  /** What the console has, errors, and addresses of requests, but for the page's own. */
  readonly complaints: readonly string[]
}

export class Browser implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'norn-browser-'))
  readonly #process: ChildProcess
  readonly #ended: Promise<void>
  /** Why it no longer runs, or never did. */
  #end: string | undefined

  constructor() {
    const profile = join(this.#folder, 'profile')
    const flags = [...FLAGS, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
    this.#process = spawn(CHROMIUM, flags, { stdio: 'ignore' })
    this.#ended = once(this.#process, 'exit').then(
      ([status, signal]) => {
        this.#end = `${CHROMIUM} ended with ${signal ?? status}`
      },
      (error: Error) => {
        this.#end = `${error.message}: \`node scripts/try-browser.ts --install\` installs it`
      },
    )
  }

  open(html: string, viewport: Viewport): Promise<OpenPage> {
    const file = join(this.#folder, 'page.html')
    writeFileSync(file, html)
    const url = pathToFileURL(file).href
    return this.#open(url, viewport, (requested) => requested === url)
  }

  /** Opens what a server serves; the page may ask that server for more. */
  visit(url: string, viewport: Viewport): Promise<OpenPage> {
    return this.#open(url, viewport, (requested) => requested.startsWith(url))
  }

  async #open(
    url: string,
    { width, height, dark = false }: Viewport,
    isOwn: (requested: string) => boolean,
  ): Promise<OpenPage> {
    const address = await this.#address()
    const { webSocketDebuggerUrl } = (await (
      await fetch(`${address}/json/new?about:blank`, { method: 'PUT' })
    ).json()) as { webSocketDebuggerUrl: string }
    const connection = await Connection.open(webSocketDebuggerUrl)
    const complaints: string[] = []
    connection.listen((method, parameters) => {
      if (['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'].includes(method))
        complaints.push(JSON.stringify(parameters))
      const requested: string | undefined = parameters.request?.url
      if (requested !== undefined && !isOwn(requested) && !requested.startsWith('data:')) complaints.push(requested)
    })
    const { send } = connection
    for (const domain of ['Runtime', 'Log', 'Network', 'Page']) await send(`${domain}.enable`)
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 }
    await send('Emulation.setDeviceMetricsOverride', metrics)
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]
    await send('Emulation.setEmulatedMedia', { features })
    const loaded = connection.next('Page.loadEventFired')
    await send('Page.navigate', { url })
    await loaded
    const evaluate = async <Value>(expression: string): Promise<Value> => {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      })
      if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
      return result.value
    }
    const frame = () => evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await frame()
    return {
      complaints,
      evaluate,
      async press(key) {
        const text = key.length === 1 ? { text: key } : {}
        await send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text })
        await send('Input.dispatchKeyEvent', { type: 'keyUp', key })
        await frame()
      },
      async wheel(x, y, deltaY) {
        await send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY })
        await frame()
      },
      screenshot: async () => Buffer.from((await send('Page.captureScreenshot')).data, 'base64'),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill()
    await this.#ended
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Waits as long as it takes: a busy machine starts it slowly. */
  async #address(): Promise<string> {
    while (this.#end === undefined) {
      try {
        const [port] = readFileSync(join(this.#folder, 'profile', 'DevToolsActivePort'), 'utf8').split('\n')
        if (port !== '') return `http://127.0.0.1:${port}`
      } catch {
        // It has not been written yet.
      }
      await delay(POLL_MS)
    }
    throw new Error(this.#end)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of types.
type Parameters = any

class Connection {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (message: Parameters) => void>()
  readonly #listeners = new Set<(method: string, parameters: Parameters) => void>()
  #sent = 0

  static async open(url: string): Promise<Connection> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    return new Connection(socket)
  }

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data))
      if (message.id === undefined) for (const listener of this.#listeners) listener(message.method, message.params)
      else this.#answers.get(message.id)?.(message)
    }
  }

  readonly send = (method: string, params: object = {}): Promise<Parameters> => {
    const id = ++this.#sent
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => {
      this.#answers.set(id, ({ result, error }) => {
        this.#answers.delete(id)
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
    })
  }

  listen(listener: (method: string, parameters: Parameters) => void): void {
    this.#listeners.add(listener)
  }

  next(wanted: string): Promise<void> {
    return new Promise((resolve) => {
      const listener = (method: string) => {
        if (method !== wanted) return
        this.#listeners.delete(listener)
        resolve()
      }
      this.#listeners.add(listener)
    })
  }
}
