/**
 * The commands that run programs, and their options. Loaded on demand, since this imports all of
 * norn.
 */
import type { Command } from 'commander'
import { rowsOf, withRows } from '../options/option.ts'
import { OPTIONS } from '../options/table.ts'
import { FORMATS } from '../report/formats.ts'
import { FailureFileError } from '../storage/failure-file.ts'
import { type ExitStatus, UsageError } from './exit-status.ts'
import { addFlags, ONE_LINE, RUNNING } from './flags.ts'
import { FLAKY_OPTIONS, flakyCommand } from './flaky.ts'
import { addFleetCommands } from './fleet/commands.ts'
import { PROPOSE_OPTIONS, proposeCommand } from './frames.ts'
import { type FuzzFlags, fuzzCommand } from './fuzz.ts'
import { initCommand } from './init/init.ts'
import { PROTOCOL_OPTIONS, protocolCheckCommand } from './protocol.ts'
import { REPLAY_OPTIONS, replayCommand } from './replay.ts'
import { REPORT_OPTIONS, reportCommand } from './report.ts'
import { resultFiles } from './results.ts'
import { SHRINK_OPTIONS, shrinkCommand } from './shrink.ts'
import { UI_OPTIONS, uiCommand } from './ui/ui.ts'
import { watchCommand } from './watch.ts'

/** The options of `norn fuzz`, and those that `norn ui` has too. */
export const FUZZ_OPTIONS = withRows(
  rowsOf(OPTIONS, ({ flag }) => flag !== undefined),
  'json',
  FORMATS,
)
export const SEARCH_OPTIONS = rowsOf(FUZZ_OPTIONS, ({ takenBy }) => takenBy !== 'fuzz')

const FAILURE = 'a file in .norn/failures, or part of its name'

/** @param ended called with the status of the command that ran */
export function addCommands(program: Command, ended: (status: ExitStatus) => void): void {
  const run = async (command: Promise<ExitStatus>) => {
    try {
      ended(await command)
    } catch (error) {
      throw error instanceof FailureFileError ? new UsageError(error.message) : error
    }
  }

  const fuzz = searching(program.command('fuzz').description('search for failures of properties'))
  addFlags(fuzz, FUZZ_OPTIONS).action((files: string[], { watch, ...flags }: FuzzFlags) => {
    const args = process.argv.slice(2).filter((arg) => arg !== '--watch')
    const written = resultFiles(flags).map(({ path }) => path)
    return run(watch ? watchCommand(args, written) : fuzzCommand(files, flags))
  })

  const ui = 'search as norn fuzz does, and serve the report on this machine meanwhile'
  addFlags(searching(program.command('ui').description(ui)), SEARCH_OPTIONS, UI_OPTIONS).action(
    (files: string[], flags) => run(uiCommand(files, flags)),
  )

  const flaky = program
    .command('flaky')
    .description('run the tests of your test runner under schedules: which are flaky, and why')
    .argument(
      '[files...]',
      'files of tests, folders that hold such, or quoted globs; by default those that your runner runs',
    )
  addFlags(flaky, FLAKY_OPTIONS, RUNNING).action((files: string[], flags) => run(flakyCommand(files, flags)))

  addFleetCommands(program, run)

  program
    .command('init')
    .description('write a first property beside a module, a configuration and a workflow')
    .argument('[module]', 'the module; by default the most asynchronous one that loads')
    .action((module: string | undefined) => run(initCommand(module)))

  const replay = program.command('replay').description('replay a saved failure').argument('<failure>', FAILURE)
  addFlags(replay, REPLAY_OPTIONS, RUNNING, ONE_LINE).action((failure: string, flags) =>
    run(replayCommand(failure, flags)),
  )

  const shrink = program.command('shrink').description('shrink a saved failure further').argument('<failure>', FAILURE)
  addFlags(shrink, SHRINK_OPTIONS, RUNNING, ONE_LINE).action((failure: string, flags) =>
    run(shrinkCommand(failure, flags)),
  )

  const report = program
    .command('report')
    .description('write an HTML page with the saved failures of a project, replayed, and its searches')
    .argument('[files...]', 'the folder that holds .norn, or files of failures; the working directory by default')
  addFlags(report, REPORT_OPTIONS, RUNNING, ONE_LINE).action((files: string[], flags) =>
    run(reportCommand(files, flags)),
  )

  const check = program
    .command('protocol')
    .description('programs that speak the stdio protocol (docs/stdio-protocol.md)')
    .command('check')
    .description('check a harness')
    .argument('<command...>', 'the program and its arguments, after --')
  addFlags(check, PROTOCOL_OPTIONS).action((command: string[], flags) => run(protocolCheckCommand(command, flags)))

  const propose = program
    .command('frames')
    .description('key frames of clusters (docs/clusters.md)')
    .command('propose')
    .description('propose key frames from a saved failure')
    .argument('<failure>', FAILURE)
  addFlags(propose, PROPOSE_OPTIONS, RUNNING).action((failure: string, flags) => run(proposeCommand(failure, flags)))
}

/** The arguments of a search. */
function searching(command: Command): Command {
  return command
    .argument(
      '[files...]',
      'files of properties, folders that hold such (*.fuzz.ts), or quoted globs; by default this folder',
    )
    .addHelpText(
      'after',
      '\nDefaults of options: norn.config.ts, or the key "norn" of package.json (docs/reference.md, "Options").',
    )
}
