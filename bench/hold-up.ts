/** Stock Node with its threads held up at chance, so that it shows its rarer orders (hold-up.c). */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const SOURCE = resolve(import.meta.dirname, 'hold-up.c')

export class HoldUp {
  readonly folder = mkdtempSync(join(tmpdir(), 'norn-hold-up-'))
  /** For LD_PRELOAD; holds up from the first call of process.umask with an argument. */
  readonly library = join(this.folder, 'hold-up.so')

  /** @throws Error without a C compiler */
  static async open(): Promise<HoldUp> {
    const holdUp = new HoldUp()
    try {
      await promisify(execFile)('cc', ['-O2', '-shared', '-fPIC', '-o', holdUp.library, SOURCE, '-ldl'])
    } catch (cause) {
      holdUp.close()
      throw new Error('stock Node can be held up only with a C compiler named cc: apt-get install gcc libc6-dev', {
        cause,
      })
    }
    return holdUp
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
