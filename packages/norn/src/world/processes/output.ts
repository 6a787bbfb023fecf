/** What a stand-in returned or threw, as the end of a process. Pure. */
import { constants } from 'node:os'
import { isTermination } from '../realm/ending.ts'
import type { Command, CommandContext, CommandResult, Found } from './commands.ts'

/** How a process ends, and what it writes before. */
export interface Outcome {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly code: number
  /** The name of a signal; '' if none ended it. */
  readonly signal: string
}

const NOTHING = new Uint8Array()

/** The names of signals, as Node reports them. */
const SIGNALS = new Map<number, string>()
for (const [name, number] of Object.entries(constants.signals)) if (!SIGNALS.has(number)) SIGNALS.set(number, name)

export function signalName(number: number): string {
  return SIGNALS.get(number) ?? ''
}

/** Starts a stand-in. @returns its outcome, or a promise of it */
export function start(
  { name, command, args, inShell, utility }: Found,
  stdin: Uint8Array,
  context: CommandContext,
): Outcome | Promise<Outcome> {
  // A shell that does not find the program; elsewhere the call itself fails.
  if (command === null) return { ...failed(inShell ? `/bin/sh: 1: ${name}: not found\n` : ''), code: 127 }
  let returned: ReturnType<Command>
  try {
    returned = command([...args], Buffer.from(stdin).toString(utility === undefined ? 'utf8' : 'latin1'), context)
  } catch (error) {
    return thrown(error)
  }
  if (!isThenable(returned)) return outcomeOf(name, returned)
  return Promise.resolve(returned).then((value) => outcomeOf(name, value), thrown)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

function thrown(error: unknown): Outcome {
  if (isTermination(error)) throw error
  return failed(`${error instanceof Error ? error.message : String(error)}\n`)
}

function failed(message: string): Outcome {
  return { stdout: NOTHING, stderr: Buffer.from(message), code: 1, signal: '' }
}

/** @throws TypeError if it is no outcome */
function outcomeOf(name: string, value: unknown): Outcome {
  if (value === undefined || typeof value === 'string' || value instanceof Uint8Array) {
    return { stdout: bytesOf(value), stderr: NOTHING, code: 0, signal: '' }
  }
  const wrong = (what: string): never => {
    throw new TypeError(
      `the stand-in of '${name}' returned ${what}. Return a string, or { stdout, stderr, code, signal }`,
    )
  }
  if (typeof value !== 'object' || value === null) return wrong(String(value))
  const { stdout, stderr, code = 0, signal } = value as CommandResult
  for (const [key, text] of Object.entries({ stdout, stderr }))
    if (text !== undefined && typeof text !== 'string' && !(text instanceof Uint8Array)) wrong(`${key} ${text}`)
  if (!Number.isInteger(code) || code < 0 || code > 255) wrong(`code ${code}`)
  if (signal !== undefined && signal !== null && !(signal in constants.signals)) wrong(`signal ${signal}`)
  return { stdout: bytesOf(stdout), stderr: bytesOf(stderr), code: signal ? 0 : code, signal: signal ?? '' }
}

function bytesOf(value: string | Uint8Array | undefined): Uint8Array {
  return value === undefined ? NOTHING : Uint8Array.from(typeof value === 'string' ? Buffer.from(value) : value)
}
