/** Runs a mutation in a copy of the sources, with the promises that it should break. */
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
const LIMIT_MS = 60_000

const COPIED = ['packages', 'bench/fidelity/legality', 'package.json', 'tsconfig.json']

/**
 * The promises that a mutation breaks, of those that it should.
 *
 * @throws unless the text that it replaces stands in the sources exactly once
 */
export async function brokenBy(root: string, { name, file, find, replace, breaks }: Mutation): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'norn-mutant-'))
  try {
    for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true, filter: isNeeded })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const source = readFileSync(join(copy, file), 'utf8')
    const parts = source.split(find)
    if (parts.length !== 2)
      throw new Error(`mutation "${name}": its text stands in ${file} ${parts.length - 1} times, not once`)
    writeFileSync(join(copy, file), parts.join(replace))
    // Each copy of the worker's module listens for the end of this process.
    process.setMaxListeners(process.getMaxListeners() + 1)
    const { Worker } = (await import(pathToFileURL(join(copy, 'packages/norn/src/process/worker.ts')).href)) as {
      Worker: typeof RealWorker
    }
    const worker = new Worker({ file: join(copy, 'bench/fidelity/legality/promises.fuzz.ts'), root: copy, aliases: [] })
    try {
      const properties = await worker.list()
      const broken: string[] = []
      for (const promise of breaks) {
        const property = properties.find((each) => each.name === promise)
        if (property === undefined) throw new Error(`mutation "${name}" names an unknown promise: ${promise}`)
        const options = { ...CAMPAIGN, strategy: 'random', runs: EXECUTIONS, timeMs: LIMIT_MS, keepGoing: false }
        const { failed } = await worker.explore(property, options, () => {})
        if (failed > 0) broken.push(promise)
      }
      return broken
    } finally {
      worker.close()
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
