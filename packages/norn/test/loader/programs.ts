/**
 * Writing small programs to a folder, and running them by our loader and by stock Node.
 *
 * What a program does is what its default export says: a value, or a promise of one. Both runs
 * report it as JSON, or the error that ended the run.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { Loader, type LoaderOptions } from '../../src/loader/loader.ts'

export const repository = resolve(import.meta.dirname, '../../../..')

export type Files = Readonly<Record<string, string>>

const folders: string[] = []
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

/**
 * A new folder, gone after the tests of a file, holding these files, in which the repository's
 * packages can be imported.
 */
export function folder(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-loader-')))
  folders.push(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

export function linkPackages(root: string, names: readonly string[]): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  for (const name of names) symlinkSync(join(repository, 'node_modules', name), join(root, 'node_modules', name))
}

export function newLoader(options: Partial<LoaderOptions> = {}): Loader {
  return new Loader({
    shared: new Map(),
    aliases: new Map(),
    refuse(what) {
      throw new Error(`refused ${what}`)
    },
    ...options,
  })
}

/** JSON of what a program came to, the same in both worlds. */
const REPORT = `async (load) => {
  const show = (error) => error instanceof Error
    ? { error: error.constructor.name === 'NodeError' ? 'Error' : error.name, code: error.code, message: error.message.split('\\n')[0] }
    : { thrown: error }
  try {
    return JSON.stringify(await (await load()).default, (_, value) => value === undefined ? '<undefined>' : value) ?? null
  } catch (error) { return JSON.stringify(show(error)) }
}`

export type Report = (load: () => unknown) => Promise<string>
export const report = new Function(`return ${REPORT}`)() as Report

/** What stock Node makes of each of these modules, in one process. */
export function runNatively(paths: readonly string[]): string[] {
  const script = `const report = ${REPORT}; const results = []
    for (const path of ${JSON.stringify(paths)}) results.push(await report(() => import(path)))
    process.stdout.write(JSON.stringify(results))`
  const runner = join(folder({ 'runner.mjs': script }), 'runner.mjs')
  const output = execFileSync(process.execPath, ['--no-warnings', runner], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env },
  })
  return JSON.parse(output)
}

/** The builds of a file: as it is, with counters, with counters and comparisons. */
export const BUILDS = ['plain', 'counted', 'traced'] as const
export type Build = (typeof BUILDS)[number]

/** A loader whose every file is of a build. */
export function loaderOf(build: Build): Loader {
  return build === 'plain' ? newLoader() : newLoader({ coverage: { include: () => true } })
}

export async function run(path: string, loader = newLoader(), build: Build = 'plain'): Promise<unknown> {
  const text = await report(() => loader.instantiate({ trace: build === 'traced' }).import(path))
  return text === null ? undefined : JSON.parse(text)
}
