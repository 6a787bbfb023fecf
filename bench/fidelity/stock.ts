/** The small programs of legality and completeness on the stock loop. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
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

/** The names in a different order for each process, so that each is first in some process. */
export function rotated(names: readonly string[], process: number): readonly string[] {
  return names.map((_, index) => names[(index + process) % names.length]!)
}

/** One in so many runs is under load, which takes several times as long. */
const LOADED_SHARE = 4

/**
 * Runs an action `count` times, the last quarter beside processes that keep all cores busy, as
 * stock Node shows its rarer orders under load.
 */
export async function withAndWithoutLoad(count: number, action: (index: number) => Promise<void>): Promise<void> {
  const unloaded = count - Math.ceil(count / LOADED_SHARE)
  for (let index = 0; index < unloaded; index++) await action(index)
  const siblings = busySiblings()
  try {
    for (let index = unloaded; index < count; index++) await action(index)
  } finally {
    for (const sibling of siblings) sibling.kill('SIGKILL')
  }
}

/** They end with their input, so that none outlives this process. */
function busySiblings(): ChildProcess[] {
  const busy =
    "process.stdin.resume().on('end', () => process.exit()); (function spin() { for (let i = 0; i < 1e8; i++); setImmediate(spin) })()"
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
}
