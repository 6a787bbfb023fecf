/** The options of the commands of `norn tla` that read traces: follow and validate. */
import type { Command } from 'commander'
import type { ExitStatus } from '../../../norn/src/cli/exit-status.ts'
import { count } from '../../../norn/src/cli/option-values.ts'
import { repeated } from './commands.ts'

/** States that validation keeps open at once, unless it is told otherwise. */
const DEFAULT_WIDTH = 10_000

export function addTlaTraceCommands(tla: Command, ended: (status: ExitStatus) => void): void {
  withSpecification(tla.command('follow'))
    .description('follow the actions of a trace: which states they lead to, or why one is disabled')
    .requiredOption('--trace <file>', 'JSON lines, or one array, of {"action": "Send", "parameters": [1]}; - is stdin')
    .action(async (specification: string, options) => {
      const { tlaFollowCommand } = await import('./follow.ts')
      ended(await tlaFollowCommand(specification, options))
    })
  withSpecification(tla.command('validate'))
    .description('tell whether what a log saw is a behaviour of a specification')
    .requiredOption('--trace <file>', 'the log: JSON lines, or one array; - is stdin')
    .option('--map <file>', 'which actions the entries of the log stand for, as docs/tla-traces.md has it')
    .addOption(repeated('--silent <action>', 'an action that leaves no entry in the log (may be repeated)'))
    .option('--silent-steps <count>', 'how many of them may come between two entries: 1 unless set', count)
    .option(
      '--width <count>',
      `states that are open at once, at most: ${DEFAULT_WIDTH} unless set`,
      count,
      DEFAULT_WIDTH,
    )
    .option('--depth-first', 'follow one behaviour as far as it fits, then the next', false)
    .action(async (specification: string, options) => {
      const { tlaValidateCommand } = await import('./validate.ts')
      ended(await tlaValidateCommand(specification, options))
    })
}

/** What both have in common with `norn tla check`. */
function withSpecification(command: Command): Command {
  return command
    .argument('<specification>', 'the file of the root module, with or without .tla')
    .option('--config <file>', 'the configuration: the file of the same stem with .cfg unless set')
    .addOption(repeated('--library <folder>', 'where to look for modules too (may be repeated)'))
    .option('--init <name>', 'the initial predicate, instead of what the configuration names')
    .option('--next <name>', 'the next-state relation, likewise')
    .addOption(repeated('--invariant <name>', 'an invariant, beside those of the configuration (may be repeated)'))
    .addOption(repeated('--constant <name=value>', 'a constant, as a configuration has it: N=3 (may be repeated)'))
    .option('--json', 'JSON lines on stdout', false)
}
