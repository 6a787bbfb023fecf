/**
 * Stand-ins for programs: what a test declares for the commands that its subject runs, and which of
 * them a call means. Pure.
 */
import { wordsOf } from './shell-line.ts'

/**
 * Where a command runs.
 *
 * @public
 */
export interface CommandContext {
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
}

/**
 * What a command prints, and how it ends: with exit code 0 unless given.
 *
 * @public
 */
export interface CommandResult {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string | Uint8Array
  /** From 0 to 255. */
  readonly code?: number
  /** The signal that ends it, such as 'SIGKILL'. */
  readonly signal?: `SIG${string}`
}

/**
 * Stands in for a program. A string or bytes are its standard output. What it throws is its
 * standard error, with exit code 1.
 *
 * @public
 */
export type Command = (
  args: string[],
  stdin: string,
  context: CommandContext,
) => CommandOutput | void | Promise<CommandOutput | void>

type CommandOutput = string | Uint8Array | CommandResult | undefined

/**
 * Stand-ins by the name of the program; null for a program that is not installed.
 *
 * @public
 */
export type Commands = Readonly<Record<string, Command | null>>

/** What a call runs. */
export interface Found {
  readonly name: string
  readonly command: Command | null
  readonly args: string[]
  /** Whether a shell looks for the program, and says so if it is not there. */
  readonly inShell: boolean
}

/** A call of Node itself, with its arguments. */
export interface NodeCall {
  readonly nodeArgs: string[]
}

/** @returns a sentence if no stand-in fits, and it does not run Node */
export function findCommand(
  commands: Commands,
  file: string,
  argv: readonly string[],
  isNode: (file: string) => boolean,
): Found | NodeCall | string {
  const args = argv.slice(1)
  const shell = nameOf(file)
  const line = /^(ba|da|k|z)?sh$/.test(shell) && args.length === 2 && args[0] === '-c' ? args[1]! : undefined
  const words = line === undefined ? undefined : wordsOf(line)
  if (words !== undefined) {
    const [first, ...rest] = words
    const found = lookUp(commands, first!, rest, true)
    if (found !== undefined) return found
    if (isNode(first!)) return { nodeArgs: rest }
  }
  const found = lookUp(commands, file, args, false)
  if (found !== undefined) return found
  if (isNode(file)) return { nodeArgs: args }
  if (line === undefined) return advice(shell)
  if (words !== undefined) return advice(nameOf(words[0]!))
  return `child process with a shell line: ${line} (a stand-in fits one program and its arguments: give the shell one, commands: { ${keyOf(shell)}: (args) => '…' })`
}

function lookUp(commands: Commands, file: string, args: string[], inShell: boolean): Found | undefined {
  for (const name of [file, nameOf(file)]) {
    if (Object.hasOwn(commands, name)) return { name: nameOf(file), command: commands[name]!, args, inShell }
  }
  return undefined
}

function advice(name: string): string {
  return `child process '${name}' without a stand-in (give the property the option commands: { ${keyOf(name)}: (args, stdin) => '…' })`
}

function keyOf(name: string): string {
  return /^[\w$]+$/.test(name) && !/^\d/.test(name) ? name : `'${name}'`
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
