/**
 * The commands that run programs, and their options. Loaded on demand, since this imports all of
 * norn.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_MEMORY_MB, MAX_MEMORY_MB, MIN_MEMORY_MB } from '../process/memory.ts'
import { DEFAULT_STRATEGY } from '../search/options.ts'
import { FailureFileError } from '../storage/failure-file.ts'
import { parseName } from '../tape/name.ts'
import { type ExitStatus, UsageError } from './exit-status.ts'
import { addFleetCommands } from './fleet/commands.ts'
import { proposeCommand } from './frames.ts'
import { fuzzCommand } from './fuzz.ts'
import { initCommand } from './init/init.ts'
import { checked, collected, count, duration, guide, seed, strategy, workers } from './option-values.ts'
import { protocolCheckCommand } from './protocol.ts'
import { replayCommand } from './replay.ts'
import { reportCommand } from './report.ts'
import { shrinkCommand } from './shrink.ts'
import { DEFAULT_PORT } from './ui/server.ts'
import { uiCommand } from './ui/ui.ts'
import { watchCommand } from './watch.ts'

const MAX_PORT = 65_535

/** @param ended called with the status of the command that ran */
export function addCommands(program: Command, ended: (status: ExitStatus) => void): void {
  const run = async (command: Promise<ExitStatus>) => {
    try {
      ended(await command)
    } catch (error) {
      throw error instanceof FailureFileError ? new UsageError(error.message) : error
    }
  }

  searching(program.command('fuzz').description('search for failures of properties'))
    .option('--execution <number>', 'run only the execution with this 64-bit number, as printed by norn', executionName)
    .option(
      '--bytes <file>',
      'run only the execution that the bytes of this file encode (for other fuzzers); - reads stdin',
    )
    .option('--watch', 'search again when a file changes', false)
    .action((files: string[], { watch, ...flags }) => {
      const args = process.argv.slice(2).filter((arg) => arg !== '--watch')
      const written = [flags.junit, flags.sarif].filter((path) => path !== undefined)
      return run(watch ? watchCommand(args, written) : fuzzCommand(files, flags))
    })

  searching(
    program.command('ui').description('search as norn fuzz does, and serve the report on this machine meanwhile'),
  )
    .addOption(
      new Option('--port <number>', 'port of the page on 127.0.0.1; 0 for a free one')
        .default(DEFAULT_PORT)
        .argParser(port),
    )
    .action((files: string[], flags) => run(uiCommand(files, flags)))

  addFleetCommands(program, run, (command) =>
    command.addOption(aliasOption()).addOption(hangOption()).addOption(memoryOption()).addOption(addonOption()),
  )

  program
    .command('init')
    .description('write a first property beside a module, a configuration and a workflow')
    .argument('[module]', 'the module; by default the most asynchronous one that loads')
    .action((module: string | undefined) => run(initCommand(module)))

  program
    .command('replay')
    .description('replay a saved failure')
    .argument('<failure>', 'a file in .norn/failures, or part of its name')
    .option('--inspect', 'open the debugger on the failing execution', false)
    .option('--all', 'print every step of the execution', false)
    .option('--svg <file>', 'write a diagram of the execution to this file')
    .option('--open-anywhere', 'allow a failure that was found with --open-anywhere to connect to other machines')
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .addOption(addonOption())
    .option('--json', 'print one JSON line', false)
    .action((failure: string, options) => run(replayCommand(failure, options)))

  program
    .command('shrink')
    .description('shrink a saved failure further')
    .argument('<failure>', 'a file in .norn/failures, or part of its name')
    .option('--time <duration>', 'budget: 500ms, 30s, 5m', duration)
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .addOption(addonOption())
    .option('--json', 'print one JSON line', false)
    .action((failure: string, options) => run(shrinkCommand(failure, options)))

  program
    .command('report')
    .description('write an HTML page with the saved failures of a project, replayed, and its searches')
    .argument('[files...]', 'the folder that holds .norn, or files of failures; the working directory by default')
    .option('--out <file>', 'file to write', 'norn-report.html')
    .option('--no-replay', 'do not run the failures: show what is saved')
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .addOption(addonOption())
    .option('--json', 'print one JSON line', false)
    .action((files: string[], options) => run(reportCommand(files, options)))

  const protocol = program
    .command('protocol')
    .description('programs that speak the stdio protocol (docs/stdio-protocol.md)')
  protocol
    .command('check')
    .description('check a harness')
    .argument('<command...>', 'the program and its arguments, after --')
    .option('--request <json>', 'a request that clients may send (may be repeated)', collected, [])
    .option('--nodes <names>', 'names of its nodes, separated by commas; by default its own')
    .option('--cwd <folder>', 'its working directory')
    .option('--answer <duration>', 'real time limit of one answer; 5s by default', duration)
    .option('--json', 'print JSON lines', false)
    .action((command: string[], options) => run(protocolCheckCommand(command, options)))

  const frames = program.command('frames').description('key frames of clusters (docs/clusters.md)')
  frames
    .command('propose')
    .description('propose key frames from a saved failure')
    .argument('<failure>', 'a file in .norn/failures, or part of its name')
    .option('--out <file>', 'write them to this file, for --until-frames; printed by default')
    .addOption(aliasOption())
    .addOption(hangOption())
    .addOption(memoryOption())
    .addOption(addonOption())
    .action((failure: string, options) => run(proposeCommand(failure, options)))
}

/** The arguments and options of a search. */
function searching(command: Command): Command {
  return command
    .argument(
      '[files...]',
      'files of properties, folders that hold such (*.fuzz.ts), or quoted globs; by default this folder',
    )
    .option(
      '--time <duration>',
      'budget of the whole call, shared by its properties: 500ms, 30s, 5m; 30s by default without --runs',
      duration,
    )
    .option('--runs <count>', 'maximum number of executions of each property', count)
    .option('--seed <number>', 'seed of the search (32 bits); by default random, in CI 1', seed)
    .addOption(
      new Option(
        '--strategy <name>',
        `schedule strategy: portfolio, natural, random, pct or pct:DEPTH (clusters have no pct); ${DEFAULT_STRATEGY} by default`,
      ).argParser(strategy),
    )
    .addOption(
      new Option(
        '--guide <what>',
        'feedback that guides the search: a list of edges,order,compare,trace,model; or all; or none',
      ).argParser(guide),
    )
    .addOption(
      new Option('--cover <package>', 'also count the coverage of this package (may be repeated)')
        .default([])
        .argParser((name: string, before: string[]) => [...before, name]),
    )
    .addOption(
      new Option('--workers <count>', 'number of search processes, which share one corpus; 1 by default').argParser(
        workers,
      ),
    )
    .option('--corpus', 'load and save the corpus in .norn/corpus; the default unless --runs is given')
    .option('--no-corpus', 'neither load nor save the corpus')
    .option('--property <text>', 'run only properties whose name contains this')
    .addOption(aliasOption())
    .addOption(
      new Option(
        '--open <address>',
        'let real sockets to HOST:PORT or to a Unix socket through, e.g. to a database; replays are then not exact (may be repeated)',
      )
        .default([])
        .argParser((address: string, before: string[]) => [...before, address]),
    )
    .option('--open-anywhere', 'allow --open to name other machines')
    .addOption(hangOption())
    .addOption(memoryOption())
    .addOption(addonOption())
    .option('--until-frames [folder]', 'search until clusters reach their key frames, and those of this folder')
    .option('--conformance', 'fail where a cluster diverges from its model', false)
    .option('--keep-going', 'continue after the first failure of a property', false)
    .option('--no-saved', 'do not run saved failures first')
    .option('--no-shrink', 'do not shrink failures')
    .option('--junit <file>', 'write the verdict of each property to this file, as JUnit XML')
    .option('--sarif <file>', 'write failures and inconclusive properties to this file, as SARIF 2.1.0')
    .option('--json', 'print JSON lines', false)
    .addHelpText(
      'after',
      '\nDefaults of options: norn.config.ts, or the key "norn" of package.json (docs/reference.md, "Options").',
    )
}

function aliasOption(): Option {
  const option = new Option('--alias <from=to>', 'replace a module by another (may be repeated)')
  return option.default([]).argParser(alias)
}

function hangOption(): Option {
  return new Option('--hang <duration>', 'processor time limit of one execution; 10s by default').argParser(duration)
}

function memoryOption(): Option {
  const option = new Option('--memory <MB>', `memory limit of one execution; ${DEFAULT_MEMORY_MB} by default`)
  return option.argParser(memory)
}

function addonOption(): Option {
  return new Option(
    '--allow-addon <name>',
    'load this native addon, by its package; it must do all its work before its functions return (may be repeated)',
  )
    .default([])
    .argParser((name: string, before: string[]) => [...before, name])
}

function port(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > MAX_PORT)
    throw new InvalidArgumentError(`expected a whole number from 0 to ${MAX_PORT}.`)
  return value
}

function memory(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !(value >= MIN_MEMORY_MB && value <= MAX_MEMORY_MB)) {
    throw new InvalidArgumentError(`expected a number of MB from ${MIN_MEMORY_MB} to ${MAX_MEMORY_MB}.`)
  }
  return value
}

function executionName(text: string) {
  return checked(() => parseName(text))
}

function alias(text: string, earlier: [string, string][]): [string, string][] {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('expected FROM=TO, two module specifiers.')
  return [...earlier, [text.slice(0, at), text.slice(at + 1)]]
}
