/**
 * `program(command, options)`: a program over stdio as a system under test, in any language. One
 * process hosts all nodes.
 *
 * The process is reused by later executions; `reset` restores its initial state. A program that
 * dies, hangs, breaks the protocol or reports an error fails the execution. docs/stdio-protocol.md
 * specifies the protocol.
 */
import { resolve } from 'node:path'
import { unknownText } from '../../contract/known-names.ts'
import type { NodeId } from '../system.ts'
import { LARGEST_LINE } from './line-reader.ts'
import { ProgramHost } from './program-host.ts'
import { type ProgramSystem, type Shared, systemOf } from './program-system.ts'

/**
 * The options of `program`.
 *
 * @public
 */
export interface ProgramOptions {
  /** The names of the nodes, sent in `hello`. Default: the program's own. */
  readonly nodes?: readonly NodeId[]
  /** The working directory. Relative paths start at norn's own, which is the default. */
  readonly cwd?: string
  /** Environment variables, added to norn's. `PYTHONHASHSEED` is 0 unless set. */
  readonly env?: Readonly<Record<string, string>>
  /** The time limit of one answer, in milliseconds of real time. Default: 5000. */
  readonly answerMs?: number
  /** The longest line of an answer, in bytes. Default: 16 MiB. */
  readonly maxLineBytes?: number
}

const DEFAULT_ANSWER_MS = 5000
const DEFAULT_MAX_LINE = 16 * 1024 * 1024

/** Saved before code under test can change them. */
const ROOT = process.cwd()
export const ENVIRONMENT: Readonly<Record<string, string | undefined>> = { PYTHONHASHSEED: '0', ...process.env }

/** Programs by command and options. */
const hosts = new Map<string, Shared>()
const MAX_HOSTS = 8

/**
 * A system of one program.
 *
 * @public
 * @param command the program, looked up in PATH, and its arguments; no shell is involved
 * @throws TypeError for a wrong option
 */
export function program<State = unknown>(
  command: readonly string[],
  options: ProgramOptions = {},
): ProgramSystem<State> {
  const checked = checkedOptions(command, options)
  const key = JSON.stringify(checked)
  let shared = hosts.get(key)
  if (shared === undefined) {
    makeRoom()
    const env = { ...ENVIRONMENT, ...checked.env }
    hosts.set(key, (shared = { host: new ProgramHost({ ...checked, env }), owner: undefined }))
  }
  return systemOf(shared) as ProgramSystem<State>
}

/** Ends the oldest program if there are too many. */
function makeRoom(): void {
  if (hosts.size < MAX_HOSTS) return
  const [oldest] = hosts
  hosts.delete(oldest![0])
  oldest![1].owner = undefined
  oldest![1].host.end()
}

const OPTIONS = Object.keys({
  nodes: 0,
  cwd: 0,
  env: 0,
  answerMs: 0,
  maxLineBytes: 0,
} satisfies Record<keyof ProgramOptions, 0>)

function checkedOptions(command: readonly string[], options: ProgramOptions) {
  for (const key of Object.keys(options)) {
    if (OPTIONS.includes(key)) continue
    const why = key === 'maxLine' ? 'maxLine is now maxLineBytes. Rename it' : unknownText(key, OPTIONS)
    throw new TypeError(`program(command, options): ${why}`)
  }
  const { nodes, cwd = '.', env = {}, answerMs = DEFAULT_ANSWER_MS, maxLineBytes = DEFAULT_MAX_LINE } = options
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string')
  if (!isCommand || command[0] === '') {
    throw new TypeError(
      "program(command, options): the command must be an array of strings, such as ['python3', 'kv.py']",
    )
  }
  if (!(answerMs > 0 && Number.isFinite(answerMs))) {
    throw new TypeError(`program(command, options): answerMs must be a number of milliseconds above 0, not ${answerMs}`)
  }
  if (!(Number.isSafeInteger(maxLineBytes) && maxLineBytes > 0 && maxLineBytes <= LARGEST_LINE)) {
    const what = `maxLineBytes must be 1 to ${LARGEST_LINE} bytes, not ${maxLineBytes}`
    throw new TypeError(`program(command, options): ${what}`)
  }
  return { command: command as [string, ...string[]], nodes, cwd: resolve(ROOT, cwd), env, answerMs, maxLineBytes }
}
