/**
 * A file of tests in its runner's process, and norn's worker process for it.
 *
 * Invariants: one worker serves all properties of a file, one at a time, in the order of their
 * calls. A runner's process runs one file after the other, so opening a file closes the last one.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { ListedProperty } from '../process/protocol.ts'
import { UsageError } from '../session/errors.ts'
import { FileProcess } from '../session/file-process.ts'
import { processOptions, projectAliases, projectOpen } from '../session/project.ts'
import type { Target } from '../session/targets.ts'
import { leadsOut } from '../storage/failure-file.ts'

class TestFile {
  readonly #process: FileProcess
  #last: Promise<unknown> = Promise.resolve()

  constructor(process: FileProcess) {
    this.#process = process
  }

  /** Runs an action with a property, after the actions of earlier calls. */
  withProperty<Result>(name: string, action: (target: Target) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      const process = this.#process
      const properties = await process.properties()
      const property = properties.find((each) => each.name === name)
      if (property === undefined) throw new UsageError(unknownText(name, process.file, properties))
      return action({ process, property, file: process.file })
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  close(): void {
    this.#process.close()
  }
}

let open: { readonly key: string; readonly file: TestFile } | undefined

/**
 * The file of tests at a path; the same one until another is asked for.
 *
 * @throws UsageError for a wrong variable or configuration
 */
export function testFile(path: string): TestFile {
  const root = rootOf(path)
  const start = { file: path, root, aliases: projectAliases(root), ...projectOpen(), ...processOptions() }
  const key = JSON.stringify(start)
  if (open?.key !== key) {
    open?.file.close()
    open = { key, file: new TestFile(new FileProcess(start)) }
  }
  return open.file
}

/**
 * The project's root: the working directory, or, for a file outside of it, the nearest package
 * around the file.
 */
function rootOf(file: string, here = process.cwd()): string {
  if (!leadsOut(relative(here, file))) return here
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) return dirname(file)
    folder = above
  }
  return folder
}

/** The runner and norn each evaluate the file, and must find the same names. */
function unknownText(name: string, file: string, properties: readonly ListedProperty[]): string {
  const names = properties.map((property) => `'${property.name}'`).join(', ')
  return `norn's own process evaluates ${file} too, and finds no property '${name}'; declared: ${names || 'none'}. Declare properties unconditionally, under titles that do not change`
}
