/**
 * Faults as a person meets them: allowed by a property, told with the failure, replayed, shrunk,
 * missed if none fired.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, OWN_STACK, parsed, project } from './project.ts'

const settings = {
  'settings.ts': `import { readFile, writeFile } from 'node:fs/promises'

export async function save(text: string): Promise<void> {
  await writeFile('settings.json', text)
}

export async function load(): Promise<string> {
  return readFile('settings.json', 'utf8')
}
`,
  'settings.fuzz.ts': `import assert from 'node:assert/strict'
import { fuzz, withoutFaults } from 'norn'
import { load, save } from './settings.ts'

fuzz('settings survive', {}, async () => {
  await withoutFaults(() => save('old'))
  await save('new').catch(() => {})
  const now = await withoutFaults(load)
  assert.ok(now === 'old' || now === 'new', 'the settings are lost')
}, { faults: { fs: 2 } })
`,
}

/** The remedy: a whole file takes the place of the old one. */
const REMEDY = [
  `  await writeFile('settings.json', text)`,
  `  await writeFile('settings.new', text)
  await rename('settings.new', 'settings.json')`,
] as const

describe('a failure that a fault brings about', () => {
  const here = project(settings)
  let found: Line
  let summary: Line
  let path: string

  const replayed = async (): Promise<Line & { status: number | null }> => {
    const { status, stdout } = await here.call('replay', path, '--json')
    return { ...parsed(stdout)[0], status }
  }

  beforeAll(async () => {
    const { status, stdout } = await here.call(
      'fuzz',
      'settings.fuzz.ts',
      '--seed',
      '1',
      '--runs',
      '200',
      '--no-saved',
      '--json',
    )
    ;[found, summary] = parsed(stdout) as [Line, Line]
    path = here.failures()[0]!
    expect(status).toBe(1)
  })

  it('is told with the one fault that it takes, at its simplest', () => {
    expect(found).toMatchObject({
      message: 'the settings are lost',
      confirmed: true,
      schedule: [],
      faults: [{ label: '0:5 write', operation: 'write', resource: 'settings.json', fault: 'ENOSPC' }],
    })
    expect(summary.faults).toBeGreaterThan(0)
  })

  it('stands in its file with its label and its alias', () => {
    const { tape } = JSON.parse(readFileSync(join(here.root, path), 'utf8'))
    expect(tape.fault).toEqual([['0:5 write', 0, 4, 1, 'write settings.json 1']])
  })

  it('replays exactly, and a person reads what was injected', async () => {
    expect(await replayed()).toMatchObject({ status: 1, exact: true, recorded: 1, followed: 1, faults: found.faults })
    const { stdout } = await here.call('replay', path)
    expect(stdout).toContain('fails under the default schedule (1 fault injected)')
    expect(stdout).toMatch(/✗ {2}injected ENOSPC: write settings\.json +settings\.ts:4/)
    expect(stdout).toContain('✗ injected fault')
  })

  it('is followed over changed code, where the operation has another label', async () => {
    here.edit('settings.ts', `  await writeFile(`, `  await stat('.')\n  await stat('.')\n  await writeFile(`)
    here.edit('settings.ts', 'readFile, writeFile }', 'readFile, stat, writeFile }')
    expect(await replayed()).toMatchObject({ status: 1, exact: false, recorded: 1, followed: 1, neighbours: 0 })
    here.write('settings.ts', settings['settings.ts'])
  })

  it('is gone once it is mended, and so is its neighbourhood', async () => {
    here.edit('settings.ts', ...REMEDY)
    here.edit('settings.ts', 'readFile, writeFile }', 'readFile, rename, writeFile }')
    const { status, verdict, neighbours } = await replayed()
    // The recorded fault has no operation any more, so it cannot be called gone for sure.
    expect([status, verdict, neighbours]).toEqual([3, 'passed', 200])
    const { stdout } = await here.call(
      'fuzz',
      'settings.fuzz.ts',
      '--seed',
      '1',
      '--runs',
      '300',
      '--no-saved',
      '--json',
    )
    expect(parsed(stdout)[0]).toMatchObject({ type: 'summary', passed: 300 })
    expect(parsed(stdout)[0]!.faults).toBeGreaterThan(100)
    here.write('settings.ts', settings['settings.ts'])
  })

  it('cannot be followed once the property allows no faults', async () => {
    here.edit('settings.fuzz.ts', ', { faults: { fs: 2 } }', '')
    expect(await replayed()).toMatchObject({ status: 3, verdict: 'passed', recorded: 1, followed: 0 })
    here.write('settings.fuzz.ts', settings['settings.fuzz.ts'])
  })

  it('is made smaller by norn shrink, faults first', async () => {
    const saved = JSON.parse(readFileSync(join(here.root, path), 'utf8'))
    const more = [
      ['0:4 open', 0, 4, 0],
      ['0:5 write', 0, 4, 2],
      ['0:6 close', 0, 1, 1],
    ]
    here.write(path, JSON.stringify({ ...saved, shrunk: false, tape: { ...saved.tape, fault: more } }))
    const { status, stdout } = await here.call('shrink', path, '--json')
    expect([status, parsed(stdout)[0]!.faults]).toEqual([1, found.faults])
    expect(JSON.parse(readFileSync(join(here.root, path), 'utf8')).tape).toEqual(saved.tape)
  })
})

describe('a failure that needs no fault', () => {
  it('is shrunk to none', async () => {
    const here = project({
      'race.fuzz.ts': `import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

fuzz('written in time', { n: fc.nat(9) }, async () => {
  const writing = writeFile('a', 'text').catch(() => {})
  await sleep(3)
  const text = await readFile('a', 'utf8').catch(() => '')
  await writing
  assert.ok(text === 'text', 'too late')
}, { faults: { fs: 2 } })
`,
    })
    for (const seed of ['1', '2']) {
      const { stdout } = await here.call(
        'fuzz',
        'race.fuzz.ts',
        '--seed',
        seed,
        '--runs',
        '100',
        '--no-saved',
        '--json',
      )
      const [{ message, faults, schedule }] = parsed(stdout) as [Line]
      expect([message, faults]).toEqual(['too late', []])
      expect(schedule).toHaveLength(1)
    }
  })
})

describe('a fault that hangs the program', () => {
  it('is told, though the execution takes its process with it', async () => {
    const here = project({
      'hang.fuzz.ts': `import { writeFile } from 'node:fs/promises'
import { fuzz } from 'norn'

fuzz('never ends', {}, async () => {
  const error = await writeFile('a', 'text').catch((error) => error)
  while (error !== undefined);
}, { faults: { fs: 1 } })
`,
    })
    const call = ['fuzz', 'hang.fuzz.ts', '--seed', '1', '--runs', '100', '--hang', '300ms', '--no-saved']
    const [failure] = parsed((await here.call(...call, '--json')).stdout) as [Line]
    expect(failure).toMatchObject({ kind: 'hang', confirmed: true, faults: [{ label: expect.any(String) }] })
    const [{ operation, resource, fault }] = failure.faults
    const { stdout } = await here.call(...call)
    expect(stdout).toMatch(new RegExp(`faults\\n {4}injected ${fault}: ${operation} ${resource}`))
  })
})

describe('a fault that never fired', () => {
  const here = project({
    'calm.fuzz.ts': `import { statSync } from 'node:fs'
import { fuzz } from 'norn'
fuzz('no files', {}, () => {}, { faults: { fs: 1 } })
fuzz('no chance', {}, () => { try { statSync('.') } catch {} }, { faults: { fs: 1 } })
fuzz('none asked for', {}, () => {})
`,
  })

  it('is reported as such, and why', async () => {
    const natural = ['--strategy', 'natural', '--runs', '20', '--seed', '1']
    const { status, stdout } = await here.call('fuzz', 'calm.fuzz.ts', ...natural)
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /✓ no files: .*\n {2}no fault was injected, although the option faults allows some: no operation could meet one/,
    )
    expect(stdout).toMatch(/✓ no chance: .*\n {2}no fault was injected, .*: none of up to 1 operation was chosen/)
    expect(stdout).not.toMatch(/✓ none asked for: .*\n {2}no fault was injected/)
  })

  it('is not reported where one fired, and a property of files alone gets more than one execution an input', async () => {
    const { stdout } = await here.call('fuzz', 'calm.fuzz.ts', '--property', 'no chance', '--runs', '50', '--seed', '1')
    expect(stdout).toMatch(
      /✓ no chance: 50 executions .*\(no schedule points: nothing asynchronous was scheduled, \d+ faults, seed 1\)/,
    )
    expect(stdout).not.toContain('no effect')
  })
})

it('the option is refused where it is wrong, with the line', async () => {
  const here = project({
    'wrong.fuzz.ts': `import { fuzz } from 'norn'\n\nfuzz('wrong', {}, () => {}, { faults: { net: 1 } } as never)\n`,
  })
  const { status, stderr } = await here.call('fuzz', 'wrong.fuzz.ts', '--runs', '1')
  expect(status).toBe(2)
  expect(stderr).toContain("fuzz('wrong'): option faults has an unknown kind of fault: 'net'")
  expect(stderr).toContain('wrong.fuzz.ts:3:')
  expect(stderr).not.toMatch(OWN_STACK)
})
