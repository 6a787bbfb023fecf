/**
 * Projects of users of the package: an empty folder, the package as `npm pack` makes it, and a test
 * runner called there.
 *
 * What the package needs, and the runner, is linked instead of installed, so that the tests need no
 * network; installing for real is left to `scripts/try-packages.ts`.
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

const PACKAGES = { tla: 'norn-tla', history: 'norn-history', norn: 'norn' } as const

let unpacked: ReadonlyMap<string, string> | undefined

/**
 * Folders with what `npm pack` would publish, by package: built apart, so that tests beside it
 * never see half of it.
 */
function packedPackages(): ReadonlyMap<string, string> {
  if (unpacked !== undefined) return unpacked
  const staging = folder()
  cpSync(join(ROOT, 'tsconfig.json'), join(staging, 'tsconfig.json'))
  mkdirSync(join(staging, 'node_modules'))
  for (const name of readdirSync(MODULES)) symlinkSync(join(MODULES, name), join(staging, 'node_modules', name))
  const sources = (place: string) => {
    const copy = join(staging, 'packages', place)
    const isCopied = (path: string) => !/\/(?:dist|test|node_modules)$/.test(path)
    cpSync(join(ROOT, 'packages', place), copy, { recursive: true, filter: isCopied })
    return copy
  }
  const compile = (...args: readonly string[]) => execFileSync(join(MODULES, '.bin', 'tsc'), args)
  const shared = sources('shared')
  const packed = new Map<string, string>()
  for (const [place, name] of Object.entries(PACKAGES)) {
    const copy = sources(place)
    rmSync(join(staging, 'node_modules', name))
    symlinkSync(copy, join(staging, 'node_modules', name))
    if (place === 'tla') execFileSync(process.execPath, [join(copy, 'scripts/write-module-texts.ts')])
    compile('-p', join(shared, 'tsconfig.build.json'), '--outDir', join(copy, 'dist/shared'))
    compile('-p', join(copy, 'tsconfig.build.json'))
    const archive = execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: copy, encoding: 'utf8' })
    const target = folder()
    execFileSync('tar', ['-xzf', join(copy, archive.trim()), '-C', target])
    packed.set(name, join(target, 'package'))
  }
  return (unpacked = packed)
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
  const linked = new Set(['vitest', '@types'])
  for (const [name, packed] of packedPackages()) {
    cpSync(packed, join(modules, name), { recursive: true })
    const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { dependencies: object }
    for (const dependency of Object.keys(dependencies)) linked.add(dependency)
  }
  for (const name of linked) {
    if (packedPackages().has(name)) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
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

/**
 * Set by the runner that runs these tests; the ones that are called must not take themselves for
 * parts of it.
 */
const RUNNERS_OWN =
  /^(?:NODE_OPTIONS$|VITEST|NODE_TEST|NORN_|FORCE_|CI$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|NODE_ENV$)/

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
