/**
 * `norn report [DIR or FILES…]`: one HTML page with the saved failures of a project, each replayed, and
 * what is recorded of its searches.
 *
 * A failure that does not replay stands in the page with the reason.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { print } from '#shared/print'
import { statusLine } from '#shared/status-line'
import { plural } from '../contract/text.ts'
import { text, toggle } from '../options/kinds.ts'
import { type Chosen, flag, type OptionTable } from '../options/option.ts'
import type { RunFlags } from '../options/table.ts'
import { reportDocument } from '../report/page/document.ts'
import type { Reported } from '../report/page/failure-data.ts'
import { pageDataOf } from '../report/page/page-data.ts'
import { pageScript } from '../report/page/script.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import { FailureFileError, readFailure, rootOf } from '../storage/failure-file.ts'
import { writeResultFile } from '../storage/result-file.ts'
import { failureFiles } from '../storage/saved-failures.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'
import type { OneLineFlags } from './flags.ts'
import { exitOnSignal } from './interruption.ts'
import { replayedFailure } from './replayed-failure.ts'

export const REPORT_OPTIONS = {
  out: flag(text, '--out <file>', 'file to write', { initial: 'norn-report.html' }),
  replay: flag(toggle, '--no-replay', 'do not run the failures: show what is saved', { initial: true }),
} satisfies OptionTable

type ReportFlags = Chosen<typeof REPORT_OPTIONS> & RunFlags & OneLineFlags

export async function reportCommand(named: readonly string[], options: ReportFlags): Promise<ExitStatus> {
  const exiting = exitOnSignal()
  const { root, paths } = filesOf(named)
  const status = statusLine(process.stderr)
  const reported: Reported[] = []
  const unreadable: string[] = []
  try {
    for (const [index, path] of paths.entries()) {
      status.update(`replaying failure ${index + 1} of ${paths.length}`)
      try {
        reported.push(options.replay ? await replayedFailure(path, root, options) : unreplayed(path, root))
      } catch (error) {
        if (!(error instanceof FailureFileError)) throw error
        unreadable.push(error.message)
      }
    }
    const { highlight } = await import('../report/page/highlight.ts')
    const page = reportDocument(pageDataOf({ root, reported, unreadable, highlight }), await pageScript())
    const why = writeResultFile(options.out, page)
    if (why !== undefined) throw new UsageError(`--out: cannot write ${options.out}: ${why}`)
    status.clear()
    tell(reported, unreadable, page.length, options)
    return STATUS.passed
  } finally {
    status.clear()
    exiting.ignore()
  }
}

function tell(
  reported: readonly Reported[],
  unreadable: readonly string[],
  bytes: number,
  { out, json, replay: replays }: ReportFlags,
): void {
  const counts = Object.fromEntries(
    [...Map.groupBy(reported, ({ replay }) => replay)].map(([how, of]) => [how, of.length]),
  )
  if (json) {
    print(JSON.stringify({ type: 'report', out, bytes, failures: reported.length, replays: counts, unreadable }))
    return
  }
  const style = terminalStyle()
  for (const problem of unreadable) print(`${style.warning('!')} ${printableLine(problem)}`)
  for (const { path, replay, replayed } of reported) {
    if (replays && replay !== 'exact') print(`${style.warning('!')} ${printableLine(`${path}: ${replayed}`)}`)
  }
  const size = `${Math.ceil(bytes / 1024)} KB`
  print(`${printableLine(out)}: ${plural(reported.length, 'saved failure')}, ${size}`)
}

/** The root of the report, and the files of its failures. */
function filesOf(named: readonly string[]): { readonly root: string; readonly paths: readonly string[] } {
  for (const path of named) if (!existsSync(path)) throw new UsageError(`no such file or folder: ${path}`)
  const folders = named.filter((path) => statSync(path).isDirectory())
  if (folders.length > 0 && named.length > 1) {
    throw new UsageError(`norn report takes one folder, or files of failures; given: ${named.join(' ')}`)
  }
  const [folder] = folders
  if (folder !== undefined || named.length === 0) {
    const root = realpathSync(folder ?? '.')
    const names = failureFiles(root)
    if (typeof names === 'string') throw new UsageError(names)
    return { root, paths: names }
  }
  const roots = new Set(named.map((path) => realpathSync(rootOf(path))))
  if (roots.size > 1) throw new UsageError(`the failures are of several projects: ${[...roots].join(', ')}`)
  return { root: [...roots][0]!, paths: named.map((path) => resolve(path)) }
}

function unreplayed(path: string, root: string): Reported {
  const replayed = 'Not replayed: the report was made with --no-replay.'
  return { path: relative(root, resolve(path)), saved: readFailure(path), replay: 'not replayed', replayed }
}
