/** Small projects in a folder of their own, and `norn-tla` called in them as a person calls it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, vi } from 'vitest'
import { run } from '../../src/cli/run.ts'
// Loaded before a call changes the directory: it keeps the one that it was loaded in.
import '../../src/node/named.ts'

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
  /** Calls norn-tla in a process of its own. */
  tla(...args: string[]): Promise<Outcome>
  /** Calls norn-tla in this process, which is quicker; one call at a time. */
  call(...args: string[]): Promise<Pick<Outcome, 'status' | 'stdout' | 'stderr'>>
}

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

export function project(files: Readonly<Record<string, string>>): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-tla-cli-')))
  roots.push(root)
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    root,
    write,
    tla: (...args) => ended(start(root, args)),
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
  return spawn(process.execPath, ['--conditions=norn-source', MAIN, ...args], {
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
