/** A program of commands: how it is called, and how it reports wrong calls. */
import { Command, CommanderError } from 'commander'
import { print, printError } from '../print.ts'
import { printed } from '../printable.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'

export interface ProgramOptions {
  readonly name: string
  readonly description: string
  readonly version: string
  /** Shown below the help. */
  readonly footer?: string
  /** @param ended called with the exit status of the command that ran */
  addCommands(program: Command, ended: (status: ExitStatus) => void): void
  /** The last line of a call that was refused before its command ran; undefined for none. */
  refusedLine(args: readonly string[], message: string): string | undefined
}

/** @param args without the program */
export async function runProgram(options: ProgramOptions, args: readonly string[]): Promise<ExitStatus> {
  const { name, footer } = options
  let status: ExitStatus = STATUS.passed
  const program = new Command(name)
    .description(options.description)
    .version(options.version, '--version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(printed(`${name}: ${callErrorText(text)}`)) })
    .showHelpAfterError(`Run \`${name} --help\` for the commands.`)
  if (footer !== undefined) program.addHelpText('after', `\n${footer}`)
  options.addCommands(program, (ended) => {
    status = ended
  })
  for (const command of program.commands)
    command.exitOverride().showHelpAfterError(`Run \`${name} ${command.name()} --help\` for options.`)
  try {
    await program.parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has reported it. Help and the version are not errors.
    if (error.exitCode === 0) return STATUS.passed
    const line = options.refusedLine(args, callErrorText(error.message))
    if (line !== undefined) print(line)
    return STATUS.usage
  }
}

/**
 * Runs a command; a wrong call is reported in one line, with the name of the program.
 *
 * @param refused called with what is wrong, after it was reported
 */
export async function reported(
  parent: Command,
  action: () => Promise<ExitStatus>,
  refused?: (message: string) => void,
): Promise<ExitStatus> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    printError(`${programOf(parent)}: ${error.message}`)
    refused?.(error.message)
    return STATUS.usage
  }
}

export function programOf(command: Command): string {
  return command.parent === null ? command.name() : programOf(command.parent)
}

/** The password of a URL, behind its user. */
const PASSWORD = /(:\/\/[^:@/?#\s]*):[^@/?#\s]*(?=@)/g

/** The message of an error of commander: `--depth deep: expected a whole number from 1`; without passwords of URLs. */
export function callErrorText(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/^option '(?:-\w, )?([^\s']+)[^']*' argument '(.*)' is invalid\. (.*?)\.$/ms, '$1 $2: $3')
    .replaceAll(PASSWORD, '$1')
}
