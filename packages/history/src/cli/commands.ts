/** The command check: its options. Its code is loaded when it runs. */
import { type Command, Option } from 'commander'
import type { ExitStatus } from '#shared/cli/exit-status'
import { count, duration } from '#shared/cli/option-values'
import { reported } from '#shared/cli/program'
import { print } from '#shared/print'
import { MODEL_NAMES } from '../models/inputs.ts'

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
    .action(async (file: string, options) => {
      const action = async () => (await import('./check.ts')).checkCommand(file, options)
      const tell = (message: string) => print(refused(message))
      ended(await reported(parent, action, options.json ? tell : undefined))
    })
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

/** A value as histories have them: JSON, `nil`, or a text. */
function historyValue(text: string): unknown {
  if (text === 'nil') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
