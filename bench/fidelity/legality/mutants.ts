/** Runs mutations in a copy of the sources, with the promises that they should break. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CAMPAIGN, type Worker as RealWorker } from '../../engine.ts'
import type { Mutation } from './mutations.ts'

/** Sources, without the packages' tests and what is built or installed. */
const isNeeded = (path: string) => !/\/packages\/[^/]+\/(test|dist|node_modules)$/.test(path)

/** Executions within which a mutation has to break a promise. */
const EXECUTIONS = 400

const COPIED = ['packages', 'bench/fidelity/legality', 'package.json', 'tsconfig.json']

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

  /**
   * The promises that a mutation breaks, of those that it should.
   *
   * @throws unless the text that it replaces stands in the sources exactly once
   */
  async brokenBy({ name, file, find, replace, breaks }: Mutation): Promise<string[]> {
    const { Worker } = await this.#Worker
    const path = join(this.#root, file)
    const source = readFileSync(path, 'utf8')
    const parts = source.split(find)
    if (parts.length !== 2)
      throw new Error(`mutation "${name}": its text stands in ${file} ${parts.length - 1} times, not once`)
    writeFileSync(path, parts.join(replace))
    const promises = join(this.#root, 'bench/fidelity/legality/promises.fuzz.ts')
    const worker = new Worker({ file: promises, root: this.#root, aliases: [] })
    try {
      const properties = await worker.list()
      const broken: string[] = []
      for (const promise of breaks) {
        const property = properties.find((each) => each.name === promise)
        if (property === undefined) throw new Error(`mutation "${name}" names an unknown promise: ${promise}`)
        const options = { ...CAMPAIGN, strategy: 'random', runs: EXECUTIONS, keepGoing: false }
        const { failed } = await worker.explore(property, options, () => {})
        if (failed > 0) broken.push(promise)
      }
      return broken
    } finally {
      worker.close()
      writeFileSync(path, source)
    }
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}
