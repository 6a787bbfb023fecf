/** Ctrl-C, and what becomes of the process that runs executions when its owner is gone. */
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readFlight } from '../../src/process/flight-recorder.ts'
import { notes } from './notes.ts'
import { ended, parsed, project, start } from './project.ts'

const here = project({
  ...notes,
  'endless.fuzz.ts': `import { fc, fuzz } from 'norn'
fuzz('is fine', { n: fc.nat() }, () => {})
fuzz('comes later', {}, () => {})
`,
  'busy.fuzz.ts': `import { fuzz } from 'norn'
fuzz('never gives back', {}, () => {
  for (;;);
})
`,
})

/** The processes that a process has started. Linux only, as the test is. */
function childrenOf(pid: number): number[] {
  const children: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(parent) === pid && state !== 'Z') children.push(Number(name))
    } catch {}
  }
  return children
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function until<Value>(condition: () => Value | undefined | false): Promise<Value> {
  for (;;) {
    const value = condition()
    if (value !== undefined && value !== false) return value
    await sleep(20)
  }
}

/** The execution that a process is at, as its flight recorder tells; undefined before the first. */
function executionOf(pid: number): number | undefined {
  try {
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const path = readlinkSync(`/proc/${pid}/fd/${descriptor}`)
      if (path.endsWith('flight.record')) return readFlight(path)?.execution
    }
  } catch {}
  return undefined
}

/** Waits until a child of the process is at this execution, or beyond. */
function working(norn: ChildProcess, execution: number): Promise<number> {
  return until(() => childrenOf(norn.pid!).find((child) => (executionOf(child) ?? -1) >= execution))
}

describe.runIf(process.platform === 'linux').concurrent('Ctrl-C', () => {
  it('ends the campaign, and tells what was run so far', async () => {
    const norn = start(here.root, ['fuzz', 'endless.fuzz.ts', '--time', '10m', '--json'])
    const outcome = ended(norn)
    const child = await working(norn, 20)
    norn.kill('SIGINT')
    const { status, stdout, stderr } = await outcome
    expect(stderr).toBe('')
    const lines = parsed(stdout)
    expect(lines.map(({ type }) => type)).toEqual(['summary', 'end'])
    expect(lines[0]!.executions).toBeGreaterThan(10)
    expect(lines[1]).toMatchObject({ interrupted: true, properties: 1, status: 3 })
    expect(status).toBe(3)
    await until(() => !isAlive(child))
  })

  it('keeps what was found', async () => {
    const norn = start(here.root, [
      'fuzz',
      'notes.fuzz.ts',
      'endless.fuzz.ts',
      '--keep-going',
      '--seed',
      '1',
      '--time',
      '10m',
    ])
    const outcome = ended(norn)
    await until(() => here.failures().length > 0)
    await sleep(500)
    norn.kill('SIGINT')
    const { status, stdout } = await outcome
    expect(stdout).toContain('✗ notes are kept')
    expect(stdout).toContain(here.failures()[0])
    expect(stdout).toMatch(/interrupted: 2 of 3 properties were not run/)
    expect(status).toBe(1)
  })

  it('does not wait for an execution that hangs', async () => {
    const norn = start(here.root, ['fuzz', 'busy.fuzz.ts', '--hang', '10m', '--time', '10m'])
    const outcome = ended(norn)
    const child = await working(norn, 0)
    norn.kill('SIGINT')
    const { status, stdout } = await outcome
    expect(stdout).toContain('interrupted')
    expect(status).toBe(3)
    await until(() => !isAlive(child))
  })
})

describe('a reader that goes away', () => {
  it('ends norn without a word', async () => {
    const norn = start(here.root, ['fuzz', 'endless.fuzz.ts', '--runs', '3', '--json'])
    const outcome = ended(norn)
    norn.stdout!.destroy()
    expect(await outcome).toMatchObject({ status: 3, stderr: '' })
  })
})

describe.runIf(process.platform === 'linux').concurrent('the death of norn', () => {
  it.each([
    ['between executions', ['fuzz', 'endless.fuzz.ts', '--time', '10m'], 20],
    ['in an execution that hangs', ['fuzz', 'busy.fuzz.ts', '--hang', '10m', '--time', '10m'], 0],
  ] as const)('ends its child soon, %s', async (_, call, execution) => {
    const norn = start(here.root, call)
    const outcome = ended(norn)
    const child = await working(norn, execution)
    norn.kill('SIGKILL')
    expect(await outcome).toMatchObject({ signal: 'SIGKILL' })
    await until(() => !isAlive(child))
  })
})
