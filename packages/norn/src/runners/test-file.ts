/**
 * A file of tests in its runner's process, and the norn process behind it, in which the properties of the file run.
 *
 * Invariants: one process serves all properties of a file, one at a time, in the order in which they ask; it is started
 * when the first asks, and again after it was lost. It keeps nobody from ending: whoever ends this process ends it too.
 * A process runs one file after the other, so opening a file closes the one before.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { ListedProperty } from '../process/protocol.ts'
import { Worker, type WorkerOptions } from '../process/worker.ts'
import { UsageError } from '../session/errors.ts'
import { listWith } from '../session/targets.ts'
import { leadsOut } from '../storage/failure-file.ts'

/** A property of the file, in a process that is ready to run it. */
export interface Opened {
  readonly start: WorkerOptions
  readonly worker: Worker
  readonly property: ListedProperty
  /** The file, relative to the root. */
  readonly file: string
}

export class TestFile {
  readonly #start: WorkerOptions
  #worker: Worker | undefined
  #properties: readonly ListedProperty[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(start: WorkerOptions) {
    this.#start = start
  }

  /** Runs an action with a property when those that asked before are done. */
  async withProperty<Result>(name: string, action: (opened: Opened) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      const worker = await this.#ready()
      const file = relative(this.#start.root, this.#start.file)
      const property = this.#properties.find((each) => each.name === name)
      if (property === undefined) throw new UsageError(unknownText(name, file, this.#properties))
      return action({ start: this.#start, worker, property, file })
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  close(): void {
    this.#worker?.close()
  }

  async #ready(): Promise<Worker> {
    if (this.#worker?.ended === false) return this.#worker
    this.#worker?.close()
    const worker = new Worker(this.#start)
    this.#worker = worker
    this.#properties = await listWith(worker, this.#start)
    return worker
  }
}

let open: { readonly key: string; readonly file: TestFile } | undefined

/** The file of tests at a path; the same one until another is asked for. */
export function testFile(path: string, hangMs: number | undefined): TestFile {
  const key = `${hangMs} ${path}`
  if (open?.key !== key) {
    open?.file.close()
    open = { key, file: new TestFile({ file: path, root: rootOf(path), aliases: [], hangMs }) }
  }
  return open.file
}

/** The project's root: where the tests were started, or, for a file that is not below, the nearest package around it. */
export function rootOf(file: string, here = process.cwd()): string {
  if (!leadsOut(relative(here, file))) return here
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) return dirname(file)
    folder = above
  }
  return folder
}

/** The runner and norn each evaluate the file, and have to come to the same names. */
function unknownText(name: string, file: string, properties: readonly ListedProperty[]): string {
  const names = properties.map((property) => `'${property.name}'`).join(', ')
  return `norn evaluated ${file} in a process of its own, and no property '${name}' was declared there; declared: ${names || 'none'}. A property has to be declared whatever the environment, under a title that is the same each time`
}
