/**
 * Projects of users of the package: an empty folder, the package as `npm pack` makes it, and a test runner called there.
 *
 * What the package needs, and the runner, is linked instead of installed, so that the tests need no network; installing
 * for real is left to `scripts/try-package.ts`.
 */
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../../..')
const MODULES = join(ROOT, 'node_modules')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'norn-package-')))
  folders.push(made)
  return made
}

let unpacked: string | undefined

/** A folder with what `npm pack` would publish: built apart, so that tests beside it never see half of it. */
function packedPackage(): string {
  if (unpacked !== undefined) return unpacked
  const [staging, target] = [folder(), folder()]
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'])
    cpSync(join(ROOT, name), join(staging, name))
  const built = ['-p', 'tsconfig.build.json', '--outDir', join(staging, 'dist')]
  execFileSync(join(MODULES, '.bin', 'tsc'), built, { cwd: ROOT })
  const packing = { cwd: staging, encoding: 'utf8' } as const
  const archive = execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], packing).trim()
  execFileSync('tar', ['-xzf', join(staging, archive), '-C', target])
  unpacked = join(target, 'package')
  return unpacked
}

/** The code block of docs/ci.md that begins with the name of its file. */
export function snippet(name: string): string {
  const blocks = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)
  const found = [...blocks].find(([, title]) => title === name)
  if (found === undefined) throw new Error(`docs/ci.md has no code block ${name}`)
  return found[2]!
}

export const ACCOUNT = readFileSync(join(ROOT, 'examples/account/account.ts'), 'utf8')

/** The account of the README, with what was wrong put right: deposits wait for each other. */
export const FIXED_ACCOUNT = ACCOUNT.replace(
  /async deposit[\s\S]*$/,
  `#last: Promise<void> = Promise.resolve()

  deposit(amount: number): Promise<void> {
    this.#last = this.#last.then(async () => {
      await writeFile(this.#file, String((await this.balance()) + amount))
    })
    return this.#last
  }
}
`,
)

export interface Called {
  readonly status: number
  readonly output: string
}

export interface PackageProject {
  readonly root: string
  write(name: string, text: string): void
  /** The saved failures, by name. */
  failures(): string[]
  /** Calls a tool of the project; its standard output and error together. */
  call(tool: string, args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Called>
}

export function packageProject(files: Readonly<Record<string, string>>): PackageProject {
  const root = folder()
  const modules = join(root, 'node_modules')
  mkdirSync(modules)
  cpSync(packedPackage(), join(modules, 'norn'), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object }
  for (const name of [...Object.keys(dependencies), 'vitest', '@types']) {
    symlinkSync(join(MODULES, name), join(modules, name))
  }
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  write('package.json', '{ "type": "module", "private": true }\n')
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    root,
    write,
    failures() {
      try {
        return readdirSync(join(root, '.norn/failures')).sort()
      } catch {
        return []
      }
    },
    call: (tool, args, environment = {}) => calling(root, tool, args, environment),
  }
}

/** Set by the runner that runs these tests; the ones that are called must not take themselves for parts of it. */
const RUNNERS_OWN = /^(?:VITEST|NODE_TEST|NORN_|FORCE_|CI$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|NODE_ENV$)/

function calling(root: string, tool: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  const outer = Object.fromEntries(Object.entries(process.env).filter(([name]) => !RUNNERS_OWN.test(name)))
  const env = { ...outer, NO_COLOR: '1', ...environment }
  const path = tool === 'node' ? process.execPath : join(MODULES, '.bin', tool)
  return new Promise<Called>((done) => {
    const child = execFile(path, args, { cwd: root, env, encoding: 'utf8' }, (_, stdout, stderr) => {
      done({ status: child.exitCode ?? -1, output: stdout + stderr })
    })
  })
}
