/** The command check: its options. Its code is loaded when it runs. */
import { type Command, Option } from 'commander'
import { MODEL_NAMES } from '../models/inputs.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'
import { count, duration, historyValue } from './option-values.ts'

/**
 * Adds the commands to a program, or to a command of another program (`norn history`).
 *
 * @param ended called with the exit status of the command that ran
 */
export function addHistoryCommands(parent: Command, ended: (status: ExitStatus) => void): void {
  parent
    .command('check')
    .description('check a history: is it linearizable, or as isolated as it should be?')
    .argument('<file>', 'EDN or a log of Jepsen, or JSON lines; - is stdin')
    .addOption(new Option('--model <name>', 'check against this sequential object').choices(MODEL_NAMES))
    .addOption(
      new Option('--isolation <workload>', 'check transactions instead').choices(['list-append', 'rw-register']),
    )
    .option(
      '--consistency <model>',
      'with --model: linearizable (default) or sequential; with --isolation: serializable (default), ' +
        'snapshot-isolation, read-committed, strict-serializable, …',
    )
    .option('--sequential-keys', 'of rw-register: a process never sees or writes an older version of a key')
    .option('--linearizable-keys', 'of rw-register: each key is linearizable, which orders its versions')
    .option('--initial <value>', 'what registers, counters and keys hold before the first write', historyValue)
    .addOption(
      new Option('--format <format>', 'format of the file; by default recognised by content').choices([
        ...['edn', 'json', 'log'],
      ]),
    )
    .option('--time <duration>', 'limit of real time: 500ms, 30s, 5m', duration)
    .option('--memory-mb <MB>', 'memory limit; by default most of what Node can use (4 GB or less)', count)
    .option('--html <file>', 'write a picture of the history')
    .option('--json', 'print JSON lines, the verdict in the last', false)
    .addHelpText('after', '\nExit status: 0 legal, 1 illegal, 2 invalid call or history, 3 unknown.')
    .action(async (file: string, options) =>
      ended(await reported(parent, options.json, async () => (await import('./check.ts')).checkCommand(file, options))),
    )
}

/** Runs a command; a wrong call or history is reported in one line, with the name of the program. */
async function reported(parent: Command, json: boolean, action: () => Promise<ExitStatus>): Promise<ExitStatus> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${programOf(parent)}: ${error.message}`)
    if (json) console.log(refused(error.message))
    return STATUS.usage
  }
}

function programOf(command: Command): string {
  return command.parent === null ? command.name() : programOf(command.parent)
}

/** The message of an error of commander: `--time soon: expected a duration such as 500ms`. */
export function callErrorText(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/^option '(?:-\w, )?([^\s']+)[^']*' argument '(.*)' is invalid\. (.*?)\.$/ms, '$1 $2: $3')
}

/**
 * The last line of a call with `--json` that was refused before its command ran: programs read that
 * line in any case.
 *
 * @param args from the name of the command on
 * @returns undefined without `--json`
 */
export function refusedLine(args: readonly string[], message: string): string | undefined {
  return args.includes('--json') ? refused(message) : undefined
}

function refused(message: string): string {
  return JSON.stringify({ type: 'result', result: 'refused', message })
}
