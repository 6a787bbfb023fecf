/** Runs norn with a defect: a copy of the sources in which one text is replaced. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Worker as RealWorker } from '../engine.ts'

/** The text must stand in the sources exactly once, so that no mutation is lost without notice. */
export interface Replacement {
  readonly name: string
  /** Relative to the project's root. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** Norn as it stands in some folder. */
export interface Engine {
  readonly root: string
  readonly Worker: typeof RealWorker
}

/** Sources, without the packages' tests and what is built or installed. */
const isNeeded = (path: string) => !/\/packages\/[^/]+\/(test|dist|node_modules)$/.test(path)

const COPIED = ['packages', 'bench/fidelity', 'package.json', 'tsconfig.json']

/**
 * A copy of the sources that holds one mutation at a time. All share it, since Node's compile cache
 * knows files by their path: a worker then compiles only the mutated file.
 */
export class Mutants {
  readonly #root = mkdtempSync(join(tmpdir(), 'norn-mutant-'))
  readonly #Worker: Promise<{ Worker: typeof RealWorker }>

  constructor(root: string) {
    for (const path of COPIED) cpSync(join(root, path), join(this.#root, path), { recursive: true, filter: isNeeded })
    symlinkSync(join(root, 'node_modules'), join(this.#root, 'node_modules'))
    this.#Worker = import(pathToFileURL(join(this.#root, 'packages/norn/src/process/worker.ts')).href)
  }

  /** @throws unless the text that the mutation replaces stands in the sources exactly once */
  async within<Result>(
    { name, file, find, replace }: Replacement,
    use: (engine: Engine) => Promise<Result>,
  ): Promise<Result> {
    const path = join(this.#root, file)
    const source = readFileSync(path, 'utf8')
    const parts = source.split(find)
    if (parts.length !== 2)
      throw new Error(`mutation "${name}": its text stands in ${file} ${parts.length - 1} times, not once`)
    writeFileSync(path, parts.join(replace))
    try {
      return await use({ root: this.#root, ...(await this.#Worker) })
    } finally {
      writeFileSync(path, source)
    }
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}
