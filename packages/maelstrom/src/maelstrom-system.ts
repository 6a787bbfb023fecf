/**
 * Nodes of Maelstrom as a system: one process a node, services and clients played by norn.
 *
 * The clock of a node follows virtual time. Its next deadline is a timer, `clock`; if that fires
 * early, the node's clock is ahead from then on. A node that polls wakes often and does nothing:
 * one timer passes over such wakes, up to `silentMs` of its clock.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Data, Effects, NodeEvent, NodeId, System } from 'norn/cluster'
import { OWNER, outside, removeLeftovers } from 'norn/internal/cluster'
import { preloadsOfNodes } from './clock-library.ts'
import { type Envelope, lineOf, lineOfMessage, messageOf, parseLine } from './messages.ts'
import { NodeProcess } from './node-process.ts'
import { OBSERVER, Observer } from './observer.ts'
import { type Body, type Service, type ServiceName, serviceOf } from './services.ts'

export interface SystemOptions {
  readonly command: readonly [string, ...string[]]
  readonly nodes: readonly NodeId[]
  readonly services: readonly ServiceName[]
  readonly observer: boolean
  readonly setup: (node: NodeId, nodes: readonly NodeId[]) => readonly Body[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly answerMs: number
  readonly sleepMs: number
  readonly silentMs: number
}

const FOLDER = 'norn-maelstrom-'
/** Saved before code under test can change them. */
const TEMPORARY = tmpdir()
const ENVIRONMENT = { ...process.env }

/** The client that initialises the nodes; the others are `c1`, `c2`, …, one for each request. */
const INITIALISER = 'c0'
const TIMER = 'clock'
const MAX_TIMER_MS = 2 ** 31 - 1
const NS_PER_MS = 1e6
/** Wakes of one timer, at most. */
const MAX_SILENT_WAKES = 1000

interface Running {
  readonly process: NodeProcess
  /** How far its clock is ahead of virtual time, in nanoseconds. */
  ahead: number
}

export class MaelstromSystem implements System {
  readonly nodes: readonly NodeId[]
  readonly #options: SystemOptions
  readonly #running = new Map<NodeId, Running>()
  #services = new Map<NodeId, Service>()
  #answered = new Set<number>()
  #observer: Observer | undefined
  #folder: string | undefined
  #seed = 0

  constructor(options: SystemOptions) {
    this.#options = options
    this.nodes = [...options.nodes, ...options.services, ...(options.observer ? [OBSERVER] : [])]
  }

  reset(): void {
    this.finish()
    this.#services = new Map(this.#options.services.map((name) => [name, serviceOf(name)]))
    this.#answered = new Set()
    this.#observer = this.#options.observer ? new Observer(this.#options.nodes) : undefined
  }

  perform(event: NodeEvent, effects: Effects): void {
    const { node } = event
    if (node === OBSERVER) {
      this.#observer!.perform(event, effects)
      return
    }
    const service = this.#services.get(node)
    if (service !== undefined) {
      if (event.type === 'deliver') serve(service, event.from, event.message as Body, effects)
      if (event.type === 'request') effects.reply(event.id, { type: 'error', code: 10, text: `${node} has no clients` })
      return
    }
    switch (event.type) {
      case 'start':
      case 'restart':
        this.#boot(node, effects)
        break
      case 'crash':
        this.#running.get(node)!.process.kill()
        return
      case 'deliver':
        this.#receive(node, lineOfMessage(event.from, node, event.message as Body), effects)
        break
      case 'request': {
        const { node: _, ...body } = event.request as Body
        this.#receive(node, lineOf(`c${event.id + 1}`, node, { ...body, msg_id: event.id + 1 }), effects)
        break
      }
      case 'timeout':
        this.#wake(node, effects)
    }
    this.#setTimer(node, effects)
  }

  state(node: NodeId): Data {
    return node === OBSERVER ? this.#observer?.state : this.#services.get(node)?.state
  }

  finish(): void {
    for (const { process } of this.#running.values()) process.kill()
    this.#running.clear()
    const folder = this.#folder
    this.#folder = undefined
    if (folder !== undefined) outside(() => rmSync(folder, { recursive: true, force: true }))
  }

  #boot(node: NodeId, effects: Effects): void {
    // The nodes begin to run at once, and are initialised one after the other.
    if (this.#folder === undefined) {
      this.#seed = Math.floor(effects.random() * 2 ** 32)
      this.#folder = outside(() => this.#makeFolder())
      for (const each of this.#options.nodes) this.#start(each)
    } else if (!this.#running.has(node)) {
      this.#start(node)
    }
    const { process } = this.#running.get(node)!
    const { nodes, setup } = this.#options
    const written = process.begin().map((line) => this.#parse(node, line))
    const isReply = ({ dest, body }: Envelope) => dest === INITIALISER && body.in_reply_to === 1
    const reply = written.find(isReply)
    if (reply?.body.type !== 'init_ok') {
      const what = reply === undefined ? 'nothing' : JSON.stringify(reply.body)
      process.fail(`node '${node}' answered init by ${what}, not by init_ok`)
    }
    this.#send(node, written, effects)
    for (const [at, body] of setup(node, nodes).entries()) {
      this.#receive(node, lineOf(INITIALISER, node, { ...body, msg_id: at + 2 }), effects)
    }
  }

  #start(node: NodeId): void {
    const { command, cwd, env, answerMs, nodes } = this.#options
    const options = { name: node, command, cwd, answerMs, folder: this.#folder! }
    const first = lineOf(INITIALISER, node, { type: 'init', msg_id: 1, node_id: node, node_ids: nodes })
    const seed = String(this.#seed * nodes.length + nodes.indexOf(node))
    const process = outside(() => new NodeProcess({ ...options, first, env: { ...env, NORN_SEED: seed } }))
    this.#running.set(node, { process, ahead: 0 })
  }

  #makeFolder(): string {
    removeLeftovers(TEMPORARY, FOLDER, '-')
    const folder = mkdtempSync(join(TEMPORARY, `${FOLDER}${OWNER}-`))
    const pipes = this.#options.nodes.flatMap((node) => ['in', 'out', 'control'].map((end) => `${node}.${end}`))
    execFileSync('mkfifo', pipes, { cwd: folder, env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] })
    return folder
  }

  #receive(node: NodeId, line: string, effects: Effects): void {
    const { process, ahead } = this.#running.get(node)!
    const lines = process.receive(line, nowOf(effects) + ahead, (deadline) => this.#wakeAt(process, deadline))
    this.#sendLines(node, lines, effects)
  }

  /** Wakes the node at its deadline, and again while it does nothing. */
  #wake(node: NodeId, effects: Effects): void {
    const running = this.#running.get(node)!
    const { process } = running
    let deadline = process.deadline
    if (deadline === undefined) return
    running.ahead = Math.max(running.ahead, deadline - nowOf(effects))
    const end = Math.max(process.now, deadline) + this.#options.silentMs * NS_PER_MS
    for (let wakes = 0; deadline !== undefined && wakes < MAX_SILENT_WAKES; wakes++) {
      const lines = process.wake(this.#wakeAt(process, deadline))
      this.#sendLines(node, lines, effects)
      if (lines.length > 0) return
      deadline = process.deadline
      if (deadline !== undefined && deadline > end) return
    }
  }

  /** A short sleep lasts `sleepMs`: a sleep may always take longer. */
  #wakeAt(process: NodeProcess, deadline: number): number {
    const shortest = process.now + this.#options.sleepMs * NS_PER_MS
    return deadline < shortest ? shortest : deadline
  }

  #setTimer(node: NodeId, effects: Effects): void {
    const { process, ahead } = this.#running.get(node)!
    const { deadline } = process
    if (deadline === undefined) effects.clearTimer(TIMER)
    else {
      const delayMs = (deadline - ahead - nowOf(effects)) / NS_PER_MS
      effects.setTimer(TIMER, Math.min(Math.max(delayMs, 0), MAX_TIMER_MS))
    }
  }

  #sendLines(node: NodeId, lines: readonly string[], effects: Effects): void {
    this.#send(
      node,
      lines.map((line) => this.#parse(node, line)),
      effects,
    )
  }

  #send(node: NodeId, written: readonly Envelope[], effects: Effects): void {
    for (const envelope of written) {
      const { dest, body } = envelope
      if (this.nodes.includes(dest)) effects.send(dest, messageOf(envelope, node))
      else if (/^c\d+$/.test(dest)) this.#reply(Number(dest.slice(1)) - 1, body, effects)
      else this.#refuse(node, `sent a message to '${dest}', which is not a node`, envelope)
    }
  }

  /** Clients accept one answer to what they asked. */
  #reply(request: number, body: Body, effects: Effects): void {
    if (request < 0 || body.in_reply_to !== request + 1 || this.#answered.has(request)) return
    this.#answered.add(request)
    const { in_reply_to, msg_id, ...reply } = body
    effects.reply(request, reply)
  }

  #parse(node: NodeId, line: string): Envelope {
    const parsed = parseLine(line)
    if (typeof parsed !== 'string') return parsed
    return this.#refuse(node, `wrote a line that is not a message: ${parsed}`, line)
  }

  #refuse(node: NodeId, what: string, written: unknown): never {
    const hint = `The nodes are ${this.nodes.join(', ')}; the option \`services\` adds others`
    return this.#running.get(node)!.process.fail(`node '${node}' ${what}\n  ${JSON.stringify(written)}\n  ${hint}`)
  }
}

/** Virtual time, in nanoseconds. */
function nowOf({ nowMs }: Effects): number {
  return Math.round(nowMs * NS_PER_MS)
}

function serve(service: Service, client: NodeId, request: Body, effects: Effects): void {
  const reply = service.answer(request, client, () => effects.random())
  if (request.msg_id !== undefined) effects.send(client, { ...reply, in_reply_to: request.msg_id })
}

/** The environment of a node: its clock, and what its runtime needs to be deterministic. */
export function nodeEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const { clock, forNode, forRuby } = outside(preloadsOfNodes)
  const joined = (separator: string, ...texts: readonly (string | undefined)[]) => texts.filter(Boolean).join(separator)
  return {
    TZ: 'UTC',
    ...env,
    LD_PRELOAD: joined(':', clock, env.LD_PRELOAD),
    NODE_OPTIONS: joined(' ', env.NODE_OPTIONS, `--require=${forNode}`),
    RUBYOPT: joined(' ', env.RUBYOPT, `-r${forRuby}`),
  }
}
