/**
 * Stand-ins for programs: what a test declares for the commands that its subject runs, and which of
 * them a call means. Pure.
 */
import type { CommandContext, CommandResult } from './command-result.ts'
import { wordsOf } from './shell-line.ts'
import { type Item, playedBy, type Simple, shellItems, shellList } from './shell-list.ts'
import { programOf, type Utility, type UtilityFiles, utility } from './utilities.ts'

export type { CommandContext, CommandResult } from './command-result.ts'

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

/** Commands of a shell that change it. */
const BUILTINS = ['cd', 'exit', ':']

/** What a call runs. */
export interface Found {
  readonly name: string
  readonly command: Command | null
  readonly args: string[]
  /** Whether a shell looks for the program, and says so if it is not there. */
  readonly inShell: boolean
  /** Undefined for a stand-in of the test. */
  readonly utility?: Utility
}

/** A call of Node itself, with its arguments. */
export interface NodeCall {
  readonly nodeArgs: string[]
}

/** A line of several programs, some of which the test or Node play. */
export interface ShellCall {
  readonly shell: readonly ShellItem[]
}

export interface ShellItem extends Pick<Item, 'after'> {
  readonly pipeline: readonly ShellPart[]
}

export interface ShellPart extends Omit<Simple, 'words'> {
  /** A command of the shell itself runs within it. */
  readonly runs: Found | NodeCall
  readonly isBuiltin: boolean
}

/** The machine on which a call looks for a program. */
export interface Machine {
  isNode(file: string): boolean
  readonly env: Readonly<Record<string, string>>
  readonly files: UtilityFiles
}

/** @returns a sentence if no stand-in fits, and norn plays neither Node nor the program */
export function findCommand(
  commands: Commands,
  file: string,
  argv: readonly string[],
  machine: Machine,
): Found | NodeCall | ShellCall | string {
  const args = argv.slice(1)
  const shell = nameOf(file)
  const line = /^(ba|da|k|z)?sh$/.test(shell) && args.length === 2 && args[0] === '-c' ? args[1]! : undefined
  const words = line === undefined ? undefined : wordsOf(line)
  const found = words && findWords(commands, words, machine)
  if (found !== undefined) return found
  const declared = lookUp(commands, file, args, false)
  if (declared !== undefined) return declared
  if (machine.isNode(file)) return { nodeArgs: args }
  if (line === undefined) return played(file, args, machine) ?? advice(shell)
  const expanded = wordsOf(line, machine.env)
  const other = expanded && findWords(commands, expanded, machine)
  if (other !== undefined) return other
  const list = shellList(line, machine.env)
  if (list !== undefined) return played(file, args, machine, list)!
  if (words !== undefined) return advice(nameOf(words[0]!))
  const script = shellScript(commands, line, machine)
  if (script !== undefined) return script
  return `child process with a shell line: ${line} (a stand-in fits one program and its arguments: give the shell one, commands: { ${keyOf(shell)}: (args) => '…' })`
}

/** A line of one program, of the test or of Node. */
function findWords(commands: Commands, [first, ...rest]: string[], machine: Machine): Found | NodeCall | undefined {
  const found = lookUp(commands, first!, rest, true)
  if (found !== undefined) return found
  return machine.isNode(first!) ? { nodeArgs: rest } : undefined
}

/** @returns undefined if the line has what norn's shell does not know, or a sentence if it is a program */
function shellScript(commands: Commands, line: string, machine: Machine): ShellCall | string | undefined {
  const items = shellItems(line, machine.env)
  if (items === undefined) return undefined
  const shell: ShellItem[] = []
  for (const { after, pipeline } of items) {
    const parts: ShellPart[] = []
    for (const { words, ...rest } of pipeline) {
      const isBuiltin = BUILTINS.includes(words[0]!)
      if (isBuiltin && pipeline.length > 1) return undefined
      const runs = findWords(commands, words, machine) ?? playedIn(words, machine)
      if (runs === undefined) return advice(nameOf(words[0]!))
      parts.push({ ...rest, runs, isBuiltin })
    }
    shell.push({ after, pipeline: parts })
  }
  return { shell }
}

/** A program of a line that norn plays. */
function playedIn(words: readonly string[], { files }: Machine): Found | undefined {
  const utility = playedBy(words)
  if (utility === undefined) return undefined
  const command: Command = (_args, stdin, context) => utility.run(Buffer.from(stdin, 'latin1'), context, files)
  return { name: words[0]!, command, args: words.slice(1), inShell: true, utility }
}

/** A program that norn plays; one that is not on the PATH is not installed. */
function played(file: string, args: string[], { env, files }: Machine, list?: Utility): Found | undefined {
  const name = list === undefined ? programOf(file, env.PATH, files) : nameOf(file)
  if (name === undefined) return undefined
  if (name === '') return { name: nameOf(file), command: null, args, inShell: false }
  const program = list ?? utility(name, args)
  if (program === undefined) return undefined
  const command: Command = (_args, stdin, context) => program.run(Buffer.from(stdin, 'latin1'), context, files)
  return { name, command, args, inShell: false, utility: program }
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
