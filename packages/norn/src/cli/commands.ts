/**
 * The commands that run programs: `fuzz`, `replay`, `shrink`, `protocol` and `frames`, with their
 * options.
 *
 * Apart from run.ts, which loads this only when one of them may be meant: it brings the whole of
 * norn with it.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_MEMORY_MB, MAX_MEMORY_MB, MIN_MEMORY_MB } from '../process/memory.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import { type Guide, parseGuide } from '../search/guide.ts'
import { DEFAULT_STRATEGY } from '../search/options.ts'
import { MAX_WORKERS } from '../session/values.ts'
import { FailureFileError } from '../storage/failure-file.ts'
import { parseName } from '../tape/name.ts'
import { type ExitStatus, UsageError } from './exit-status.ts'
import { proposeCommand } from './frames.ts'
import { fuzzCommand } from './fuzz.ts'
import { checked, collected, count, duration, seed } from './option-values.ts'
import { protocolCheckCommand } from './protocol.ts'
import { replayCommand } from './replay.ts'
import { shrinkCommand } from './shrink.ts'

/** @param ended told the status of the command that ran */
export function addCommands(program: Command, ended: (status: ExitStatus) => void): void {
  const run = async (command: Promise<ExitStatus>) => {
    try {
      ended(await command)
    } catch (error) {
      throw error instanceof FailureFileError ? new UsageError(error.message) : error
    }
  }

  program
    .command('fuzz')
    .description('search for failures of the properties in files (*.fuzz.ts)')
    .argument('<files...>', 'files of properties')
    .option('--time <duration>', 'budget of the whole call, shared among the properties: 500ms, 30s, 5m', duration)
    .option('--runs <count>', 'executions of each property, at most', count)
    .option('--seed <number>', 'what chance begins with (32 bits); a new one each time unless CI is set', seed)
    .addOption(
      new Option(
        '--strategy <name>',
        `who proposes latencies: portfolio, natural, random, pct, or pct:DEPTH; of clusters steps, without pct; ${DEFAULT_STRATEGY} unless set`,
      ).argParser(strategy),
    )
    .addOption(
      new Option(
        '--guide <what>',
        'what steers the search: some of edges,order,compare,trace,model, or all, or none',
      ).argParser(guide),
    )
    .addOption(
      new Option('--cover <package>', 'observe this package beside your own code (may be repeated)')
        .default([])
        .argParser((name: string, before: string[]) => [...before, name]),
    )
    .addOption(
      new Option('--workers <count>', 'processes that search, and share what they find; 1 unless set').argParser(
        workers,
      ),
    )
    .option('--corpus', 'keep what is worth mutating in .norn/corpus, and begin with it: so unless --runs is given')
    .option('--no-corpus', 'begin with nothing, and keep nothing')
    .option('--property <text>', 'only properties whose name contains this')
    .option('--execution <number>', 'only the execution that this 64-bit number names', executionName)
    .option('--bytes <file>', 'only the execution that these bytes make, of another fuzzer; - reads them from stdin')
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .option(
      '--until-frames [folder]',
      'go on until executions have passed the key frames of these files, and of the clusters: of clusters only',
    )
    .option('--keep-going', 'look for more failures of a property after the first', false)
    .option('--no-saved', 'search at once, without trying the failures saved earlier')
    .option('--no-shrink', 'leave failures as they are found')
    .option('--json', 'JSON lines on stdout', false)
    .addHelpText(
      'after',
      '\nDefaults of options: norn.config.ts, or the key "norn" of package.json (docs/reference.md, "Options").',
    )
    .action((files: string[], flags) => run(fuzzCommand(files, flags)))

  program
    .command('replay')
    .description('run a saved failure again')
    .argument('<failure>', 'a file in .norn/failures, or a part of its name')
    .option('--inspect', 'open the debugger on the failing execution', false)
    .option('--svg <file>', 'draw the execution into this file: of clusters only')
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .option('--json', 'one JSON line on stdout', false)
    .action((failure: string, options) => run(replayCommand(failure, options)))

  program
    .command('shrink')
    .description('make a saved failure smaller')
    .argument('<failure>', 'a file in .norn/failures, or a part of its name')
    .option('--time <duration>', 'budget: 500ms, 30s, 5m', duration)
    .addOption(hangOption())
    .addOption(memoryOption())
    .option('--json', 'one JSON line on stdout', false)
    .action((failure: string, options) => run(shrinkCommand(failure, options)))

  const protocol = program.command('protocol').description('programs over stdio, as docs/stdio-protocol.md has them')
  protocol
    .command('check')
    .description('tell the author of a harness what is wrong with it')
    .argument('<command...>', 'the program and its arguments, after --')
    .option('--request <json>', 'something that clients may ask for (may be repeated)', collected, [])
    .option('--nodes <names>', 'the nodes that it is to have, with commas between; its own unless set')
    .option('--cwd <folder>', 'where to start it')
    .option('--answer <duration>', 'real time that one answer may take: 5s unless set', duration)
    .option('--json', 'JSON lines on stdout', false)
    .action((command: string[], options) => run(protocolCheckCommand(command, options)))

  const frames = program.command('frames').description('key frames of clusters, as docs/clusters.md has them')
  frames
    .command('propose')
    .description('propose key frames from a saved failure: moments that executions like it pass')
    .argument('<failure>', 'a file in .norn/failures, or a part of its name')
    .option('--out <file>', 'write them into this file, for --until-frames; printed unless set')
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .action((failure: string, options) => run(proposeCommand(failure, options)))
}

function aliasOption(): Option {
  const option = new Option('--alias <from=to>', 'let a module stand for another (may be repeated)')
  return option.default([]).argParser(alias)
}

function hangOption(): Option {
  return new Option('--hang <duration>', 'real time that one execution may take: 10s unless set').argParser(duration)
}

function memoryOption(): Option {
  const option = new Option('--memory <MB>', `memory that one execution may use: ${DEFAULT_MEMORY_MB} unless set`)
  return option.argParser(memory)
}

function workers(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > MAX_WORKERS)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_WORKERS}.`)
  return value
}

function guide(text: string): Guide {
  return checked(() => parseGuide(text))
}

function memory(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !(value >= MIN_MEMORY_MB && value <= MAX_MEMORY_MB)) {
    throw new InvalidArgumentError(`expected a number of MB from ${MIN_MEMORY_MB} to ${MAX_MEMORY_MB}.`)
  }
  return value
}

function strategy(text: string): string {
  return checked(() => {
    strategyChooser(text)
    return text
  })
}

function executionName(text: string) {
  return checked(() => parseName(text))
}

function alias(text: string, earlier: [string, string][]): [string, string][] {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('expected FROM=TO, two module specifiers.')
  return [...earlier, [text.slice(0, at), text.slice(at + 1)]]
}
