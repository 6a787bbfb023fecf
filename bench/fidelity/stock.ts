/** The small programs of legality and completeness on the stock loop. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A path of that name in a folder of its own. */
export type PathOf = (name: string) => string

/**
 * In a child: runs a program in an empty folder of its own below a temporary one, which is removed
 * at exit.
 */
export function inFolders(): <Result>(program: (at: PathOf) => Promise<Result>) => Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-stock-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  return (program) => {
    const own = join(folder, `${count++}`)
    mkdirSync(own)
    return program((name) => join(own, name))
  }
}

export interface StockSettings {
  readonly names: readonly string[]
  /** Runs of each program. */
  readonly runs: number
}

/** @returns what the child prints */
export async function runStockChild(child: string, settings: StockSettings): Promise<string> {
  const args = ['--no-warnings', child, JSON.stringify(settings)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

/**
 * The names in another order in each process, so that each program is first somewhere and follows
 * each other.
 */
export function rotated(names: readonly string[], process: number): readonly string[] {
  return names.map((_, index) => names[(index + process) % names.length]!)
}
