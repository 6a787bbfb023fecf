/**
 * `norn fuzz --watch`: searches, and searches again when a file changes, the saved failures first. Each
 * round is a process of its own, so that nothing of an earlier one is left, the configuration included.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { relative, resolve } from 'node:path'
import { printError } from '#shared/print'
import { terminalStyle } from '../report/style.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'

/** Editors write a file in several steps, within so many milliseconds of real time. */
const SETTLED_MS = 100

/** Folders of packages, hidden files and folders, and what editors put beside a file. */
const IGNORED = /(?:^|[/\\])(?:node_modules|\.[^/\\]+)(?:[/\\]|$)|~$/

/**
 * Ends by a signal, with the status of the last round.
 *
 * @param args of the call, without `--watch`
 * @param written files that a round writes
 */
export async function watchCommand(args: readonly string[], written: readonly string[]): Promise<ExitStatus> {
  const style = terminalStyle()
  const own = new Set(written.map((path) => relative('.', resolve(path))))
  let changed: string | undefined
  let settled: NodeJS.Timeout | undefined
  let round: ChildProcess | undefined
  let wake = () => {}
  const watcher = watch('.', { recursive: true }, (_, name) => {
    if (name === null || IGNORED.test(name) || own.has(name)) return
    changed ??= name
    clearTimeout(settled)
    settled = setTimeout(() => {
      // The first signal ends a search and keeps what it found.
      round?.kill('SIGINT')
      wake()
    }, SETTLED_MS)
  })
  let hasEnded = false
  const end = () => {
    hasEnded = true
    wake()
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  let status: ExitStatus = STATUS.passed
  while (!hasEnded) {
    changed = undefined
    round = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], { stdio: 'inherit' })
    const started = round
    status = await new Promise<ExitStatus>((done) => {
      started.on('close', (code) => done((code ?? STATUS.undecided) as ExitStatus))
    })
    round = undefined
    if (hasEnded) break
    if (changed === undefined) {
      printError(style.dim('watching for changes; Ctrl-C ends'))
      await new Promise<void>((done) => {
        wake = done
      })
    }
    if (!hasEnded) printError(style.dim(`${changed} has changed`))
  }
  watcher.close()
  clearTimeout(settled)
  process.off('SIGINT', end)
  process.off('SIGTERM', end)
  return status
}
