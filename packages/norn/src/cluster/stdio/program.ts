/**
 * A program over stdio as a system under test: one process hosts all nodes, whatever it is written
 * in.
 *
 * The process lives across executions, as long as nothing happens to it; `reset` brings each to the
 * same beginning. What the program does wrong (it dies, hangs, breaks the protocol, says that an
 * assertion failed) is thrown, and so a finding of the execution under way. docs/stdio-protocol.md
 * is the protocol.
 */
import { resolve } from 'node:path'
import { unknownText } from '../../contract/known-names.ts'
import type { NodeId } from '../system.ts'
import { ProgramHost } from './program-host.ts'
import { type ProgramSystem, type Shared, systemOf } from './program-system.ts'

/**
 * The options of `program`.
 *
 * @public
 */
export interface ProgramOptions {
  /**
   * The names of the nodes, told to the program in the handshake; what it says itself unless set.
   */
  readonly nodes?: readonly NodeId[]
  /**
   * Where it is started; relative paths, here and in the command, begin at the project's root. That
   * root unless set.
   */
  readonly cwd?: string
  /** Environment variables beside those of norn. `PYTHONHASHSEED` is 0 unless set. */
  readonly env?: Readonly<Record<string, string>>
  /** Real time that it may take for one answer, in milliseconds; 5000 unless set. */
  readonly answerMs?: number
  /** Bytes of one answer, at most; 16 MiB unless set. */
  readonly maxLineBytes?: number
}

const DEFAULT_ANSWER_MS = 5000
const DEFAULT_MAX_LINE = 16 * 1024 * 1024
/** More no line of a text in V8 can hold. */
const LARGEST_LINE = 256 * 1024 * 1024

/** As they were before any code under test could change them. */
const ROOT = process.cwd()
export const ENVIRONMENT: Readonly<Record<string, string | undefined>> = { PYTHONHASHSEED: '0', ...process.env }

/** Programs by how they are started. A file has one or two. */
const hosts = new Map<string, Shared>()
const MAX_HOSTS = 8

/**
 * A system of one program, started by a command.
 *
 * @public
 * @param command the program and its arguments; it is looked up in PATH, no shell is involved
 */
export function program(command: readonly string[], options: ProgramOptions = {}): ProgramSystem {
  const checked = checkedOptions(command, options)
  const key = JSON.stringify(checked)
  let shared = hosts.get(key)
  if (shared === undefined) {
    makeRoom()
    const env = { ...ENVIRONMENT, ...checked.env }
    hosts.set(key, (shared = { host: new ProgramHost({ ...checked, env }), owner: undefined }))
  }
  return systemOf(shared)
}

/** The least recently made goes. */
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
    throw new TypeError("program(command, options): the command must be a list of texts, as in ['python3', 'kv.py']")
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
