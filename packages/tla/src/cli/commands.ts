/**
 * The commands check, follow and validate: their options. A command's code is loaded when it runs.
 */
import type { Command } from 'commander'
import type { ExitStatus } from '#shared/cli/exit-status'
import { count, duration, repeated, seed } from '#shared/cli/option-values'
import { programOf, reported } from '#shared/cli/program'

/** States that validation keeps open at once by default. */
const DEFAULT_WIDTH = 10_000

/**
 * Adds the commands to a program, or to a command of another program (`norn tla`).
 *
 * @param ended called with the exit status of the command that ran
 */
export function addTlaCommands(parent: Command, ended: (status: ExitStatus) => void): void {
  const run = async (action: () => Promise<ExitStatus>) => ended(await reported(parent, action))
  withSpecification(parent.command('check'))
    .description('explore all states of a specification, breadth-first')
    .option('--depth <count>', 'maximum number of states of a behaviour; 100 by default in a simulation', count)
    .option('--states <count>', 'maximum number of distinct states', count)
    .option('--time <duration>', 'limit of real time: 500ms, 30s, 5m', duration)
    .option('--memory <MB>', 'memory limit; by default that of Node (4 GB or less)', count)
    .option('--simulate <count>', 'simulate this many random behaviours instead', count)
    .option('--seed <number>', 'seed of random choices (32 bits); 0 by default', seed)
    .option('--no-deadlock', 'allow behaviours to end')
    .option('--coverage', 'list how often each action was taken and enabled', false)
    .option('--json', 'print JSON lines, the counts in the last', false)
    .action((specification: string, options) =>
      run(async () => (await import('./check.ts')).checkCommand(programOf(parent), specification, options)),
    )
  withSpecification(parent.command('follow'))
    .description('follow the actions of a trace: print the states they lead to, or why one is disabled')
    .requiredOption('--trace <file>', 'JSON lines, or one array, of {"action": "Send", "parameters": [1]}; - is stdin')
    .option('--json', 'print JSON lines', false)
    .action((specification: string, options) =>
      run(async () => (await import('./follow.ts')).followCommand(specification, options)),
    )
  withSpecification(parent.command('validate'))
    .description('check whether a log is a behaviour of a specification')
    .requiredOption('--trace <file>', 'the log: JSON lines, or one array; - is stdin')
    .option('--map <file>', 'a TypeScript or JavaScript module that maps the lines of the log to actions')
    .addOption(repeated('--silent <action>', 'an action that leaves no line in the log'))
    .option('--silent-steps <count>', 'maximum number of silent actions between two lines; 1 by default', count)
    .option('--width <count>', 'maximum number of possible states at once', count, DEFAULT_WIDTH)
    .option('--depth-first', 'follow one behaviour as far as it fits, then the next', false)
    .option('--json', 'print JSON lines', false)
    .action((specification: string, options) =>
      run(async () => (await import('./validate.ts')).validateCommand(specification, options)),
    )
}

/** The options that all commands have. */
function withSpecification(command: Command): Command {
  return command
    .argument('<specification>', 'the file of the root module, with or without .tla')
    .option('--config <file>', 'the configuration; by default the file of the same stem with .cfg')
    .addOption(repeated('--library <folder>', 'look for modules here too'))
    .option('--init <name>', 'the initial predicate, instead of the one in the configuration')
    .option('--next <name>', 'the next-state relation, instead of the one in the configuration')
    .addOption(repeated('--invariant <name>', 'an invariant, beside those of the configuration'))
    .addOption(repeated('--constant <name=value>', 'a constant, as a configuration sets it: N=3'))
}

/**
 * The last line of a call with `--json` that was refused before its command ran: programs read that
 * line in any case.
 *
 * @param args from the name of the command on
 * @returns undefined without `--json`
 */
export function refusedLine(args: readonly string[], message: string): string | undefined {
  if (!args.includes('--json')) return undefined
  if (args[0] !== 'check') return JSON.stringify({ type: 'end', result: 'refused', message })
  const counts = { generated: 0, distinct: 0, depth: 0, seconds: 0 }
  return JSON.stringify({ type: 'result', result: 'refused', ...counts, error: { kind: 'call', message } })
}
