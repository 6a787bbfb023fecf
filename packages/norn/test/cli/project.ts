/**
 * Small projects in a folder of their own, and `norn` called in them as a person calls it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, vi } from 'vitest'
import { run } from '../../src/cli/run.ts'
// Loaded before a call changes the directory: they keep the one that they were loaded in.
import '../../src/cluster/stdio/program.ts'
import '../../src/tla/machines.ts'

delete process.env.CI
delete process.env.GITHUB_ACTIONS

export const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts')

/** Real time that a call may take before the test is at fault, in milliseconds. */
const CALL_MS = 1_500_000

export interface Outcome {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Project {
  readonly root: string
  write(name: string, content: string | Uint8Array): void
  /** Replaces a text of a file by another; it has to be there. */
  edit(name: string, from: string, to: string): void
  /** Paths of the saved failures, relative to the root. */
  failures(): string[]
  /** Calls norn in a process of its own. */
  norn(...args: string[]): Promise<Outcome>
  /** Calls norn in this process, which is quicker; one call at a time. */
  call(...args: string[]): Promise<Pick<Outcome, 'status' | 'stdout' | 'stderr'>>
}

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

export function project(files: Readonly<Record<string, string>>): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-cli-')))
  roots.push(root)
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    root,
    write,
    edit(name, from, to) {
      const text = readFileSync(join(root, name), 'utf8')
      if (!text.includes(from)) throw new Error(`${name} does not hold ${from}`)
      writeFileSync(join(root, name), text.replace(from, to))
    },
    failures() {
      const folder = join('.norn', 'failures')
      try {
        return readdirSync(join(root, folder)).map((name) => join(folder, name))
      } catch {
        return []
      }
    },
    norn: (...args) => ended(start(root, args)),
    call: (...args) => callHere(root, args),
  }
}

async function callHere(root: string, args: readonly string[]) {
  const out = { stdout: '', stderr: '' }
  const into = (name: keyof typeof out) => (text: unknown) => {
    out[name] += `${text}`
    return true
  }
  const line = (name: keyof typeof out) => (text: unknown) => void into(name)(`${text}\n`)
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('stderr')),
    vi.spyOn(console, 'log').mockImplementation(line('stdout')),
    vi.spyOn(console, 'error').mockImplementation(line('stderr')),
  ]
  const here = process.cwd()
  process.chdir(root)
  try {
    const status: number = await run(args)
    return { status, ...out }
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.chdir(here)
  }
}

export function start(root: string, args: readonly string[], stdin: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: undefined },
    stdio: [stdin, 'pipe', 'pipe'],
  })
}

export async function ended(child: ChildProcess): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const late = setTimeout(() => child.kill('SIGKILL'), CALL_MS)
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.on('close', (status, signal) => done([status, signal]))
  })
  clearTimeout(late)
  return { status, signal, stdout, stderr }
}

// biome-ignore lint/suspicious/noExplicitAny: what a line holds depends on its type, and the tests say it
export type Line = Record<string, any>

/** JSON lines; throws on the first that is none. */
export function parsed(stdout: string): Line[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/**
 * What no output for a person may hold: a stack of norn's own, or a plea to report an error of
 * norn.
 */
export const OWN_STACK = /src\/(?:cli|property|world|instrument|explore)\/[\w-]+\.ts:\d+|internal error; please/
