/**
 * `norn tla`: TLA+ without a JVM. The options of its commands; what they do is loaded when one of them runs.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ExitStatus } from '../../../norn/src/cli/exit-status.ts'
import { collected, count, duration, seed } from '../../../norn/src/cli/option-values.ts'
import { addTlaTraceCommands } from './trace-commands.ts'

/** @param ended told the status of the command that ran */
export function addTlaCommands(program: Command, ended: (status: ExitStatus) => void): void {
  const tla = program.command('tla').description('specifications in TLA+: checked without a JVM, as docs/tla.md has it')
  tla
    .command('check')
    .description('explore all states of a specification, breadth-first')
    .argument('<specification>', 'the file of the root module, with or without .tla')
    .option('--config <file>', 'the configuration: the file of the same stem with .cfg unless set')
    .addOption(repeated('--library <folder>', 'where to look for modules too (may be repeated)'))
    .option('--depth <count>', 'states of a behaviour, at most; in a simulation 100 unless set', count)
    .option('--states <count>', 'distinct states, at most', count)
    .option('--time <duration>', 'real time, at most: 500ms, 30s, 5m', duration)
    .option('--memory <MB>', 'memory, at most; unless set, what Node has for itself (4 GB or less)', count)
    .option('--simulate <count>', 'so many random behaviours instead', count)
    .option('--seed <number>', 'what chance begins with (32 bits): 0 unless set', seed)
    .option('--no-deadlock', 'let behaviours end')
    .option('--coverage', 'list how often each action was taken and enabled', false)
    .option('--init <name>', 'the initial predicate, instead of what the configuration names')
    .option('--next <name>', 'the next-state relation, likewise')
    .addOption(repeated('--invariant <name>', 'an invariant, beside those of the configuration (may be repeated)'))
    .addOption(repeated('--constant <name=value>', 'a constant, as a configuration has it: N=3 (may be repeated)'))
    .option('--json', 'JSON lines on stdout, the counts in the last', false)
    .action(async (specification: string, options) => {
      const { tlaCheckCommand } = await import('./check.ts')
      ended(await tlaCheckCommand(specification, options))
    })
  addTlaTraceCommands(tla, ended)
}

/**
 * The last line of a call with `--json` that was refused before its command ran: programs read that line, whatever happened.
 * Undefined if the call asks for none.
 */
export function refusedLine(args: readonly string[], message: string): string | undefined {
  const [group, command] = args
  if (group !== 'tla' || !args.includes('--json')) return undefined
  if (command !== 'check') return JSON.stringify({ type: 'end', result: 'refused', message })
  const counts = { generated: 0, distinct: 0, depth: 0, seconds: 0 }
  return JSON.stringify({ type: 'result', result: 'refused', ...counts, error: { kind: 'call', message } })
}

/** An option that may be repeated. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, description).default([], 'none').argParser(collectedText)
}

function collectedText(text: string, before: readonly string[]): string[] {
  if (text === '') throw new InvalidArgumentError('expected a text.')
  return collected(text, before)
}
