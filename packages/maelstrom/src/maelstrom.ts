/**
 * `maelstrom(command, options)`: nodes written for Maelstrom (github.com/jepsen-io/maelstrom) as a
 * system, unmodified: one process a node, JSON lines on stdin and stdout.
 */
import { resolve } from 'node:path'
import type { NodeId, System } from 'norn/cluster'
import { ENVIRONMENT, unknownText } from 'norn/internal/cluster'
import { MaelstromSystem, nodeEnvironment } from './maelstrom-system.ts'
import { type Body, SERVICES, type ServiceName } from './services.ts'

/**
 * The options of `maelstrom`.
 *
 * @public
 */
export interface MaelstromOptions {
  /** How many nodes there are, `n0` onwards, or their names. Default: 3. */
  readonly nodes?: number | readonly NodeId[]
  /** The services that the nodes use: `lin-kv`, `seq-kv`, `lww-kv`, `lin-tso`. Default: none. */
  readonly services?: readonly ServiceName[]
  /** Requests that a client makes of each node right after `init`, such as `topology`. Default: none. */
  readonly setup?: (node: NodeId, nodes: readonly NodeId[]) => readonly MaelstromRequest[]
  /** Adds a node `observer`, a client that reads from all nodes late in an execution. Default: false. */
  readonly observer?: boolean
  /** The working directory. Relative paths start at norn's own, which is the default. */
  readonly cwd?: string
  /** Environment variables, added to norn's. */
  readonly env?: Readonly<Record<string, string>>
  /** The processor time in which a node must become idle, in milliseconds. Default: 5000. */
  readonly answerMs?: number
  /** Shorter sleeps of a node last so long, in milliseconds of its clock. Default: 50. */
  readonly sleepMs?: number
  /** How far one timer passes over wakes of a node that have no effect, in milliseconds of its clock. Default: 1000. */
  readonly silentMs?: number
}

/**
 * The body of a client's request; norn adds `msg_id`. A field `node` is not sent: it is for `route`.
 *
 * @public
 */
export interface MaelstromRequest {
  readonly type: string
  readonly [field: string]: unknown
}

const OPTIONS = Object.keys({
  nodes: 0,
  services: 0,
  setup: 0,
  observer: 0,
  cwd: 0,
  env: 0,
  answerMs: 0,
  sleepMs: 0,
  silentMs: 0,
} satisfies Record<keyof MaelstromOptions, 0>)

/** Saved before code under test can change it. */
const ROOT = process.cwd()

/**
 * A system of Maelstrom's nodes. Each execution starts its own processes.
 *
 * @public
 * @param command the program of a node, looked up in PATH, and its arguments
 * @throws TypeError for a wrong option, Error without a C compiler
 */
export function maelstrom(command: readonly string[], options: MaelstromOptions = {}): System {
  const wrong = (what: string) => new TypeError(`maelstrom(command, options): ${what}`)
  for (const key of Object.keys(options)) if (!OPTIONS.includes(key)) throw wrong(unknownText(key, OPTIONS))
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string')
  if (!isCommand || command[0] === '') {
    throw wrong("the command must be an array of strings, such as ['python3', 'echo.py']")
  }
  const { nodes: given = 3, services = [], setup = () => [], observer = false, cwd = '.', env = {} } = options
  const { answerMs = 5000, sleepMs = 50, silentMs = 1000 } = options
  for (const [name, value] of Object.entries({ answerMs, sleepMs, silentMs })) {
    if (!(value > 0 && Number.isFinite(value)))
      throw wrong(`${name} must be a number of milliseconds above 0, not ${value}`)
  }
  if (typeof given === 'number' && !(Number.isSafeInteger(given) && given > 0)) {
    throw wrong(`nodes must be a positive integer or an array of names, not ${given}`)
  }
  const nodes = typeof given === 'number' ? Array.from({ length: given }, (_, at) => `n${at}`) : given
  const unknown = services.find((name) => !SERVICES.includes(name))
  if (unknown !== undefined) throw wrong(`services: ${unknownText(unknown, SERVICES)}`)
  return new MaelstromSystem({
    command: command as [string, ...string[]],
    nodes,
    services,
    setup: setup as (node: NodeId, nodes: readonly NodeId[]) => readonly Body[],
    observer,
    cwd: resolve(ROOT, cwd),
    env: nodeEnvironment({ ...ENVIRONMENT, ...env }),
    answerMs,
    sleepMs,
    silentMs,
  })
}
