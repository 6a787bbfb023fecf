/** Libraries to preload into stock Node, so that it shows its rarer orders. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

export class Preloads {
  readonly folder = mkdtempSync(join(tmpdir(), 'norn-preloads-'))
  /** For LD_PRELOAD; both begin with the first call of process.umask with an argument. */
  readonly holdUp = this.#library('hold-up')
  readonly slowClock = this.#library('slow-clock')

  /** @throws Error without a C compiler */
  static async open(): Promise<Preloads> {
    const preloads = new Preloads()
    const compile = (library: string, source: string) =>
      promisify(execFile)('cc', [
        '-O2',
        '-shared',
        '-fPIC',
        '-o',
        library,
        resolve(import.meta.dirname, source),
        '-ldl',
      ])
    try {
      await compile(preloads.holdUp, 'hold-up.c')
      await compile(preloads.slowClock, 'slow-clock.c')
    } catch (cause) {
      preloads.close()
      throw new Error('stock Node can be held up only with a C compiler named cc: apt-get install gcc libc6-dev', {
        cause,
      })
    }
    return preloads
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #library(name: string): string {
    return join(this.folder, `${name}.so`)
  }
}
