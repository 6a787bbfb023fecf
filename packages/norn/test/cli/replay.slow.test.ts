/**
 * A saved failure: exact over the same code, followed over changed code, and honest about what it
 * could not follow.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { notes } from './notes.ts'
import { type Line, parsed, project } from './project.ts'

const inputs = {
  'inputs.fuzz.ts': `import assert from 'node:assert/strict'
import { draw, fc, fuzz, outOfEntropy } from 'norn'

fuzz('values and draws', { list: fc.array(fc.integer({ min: 0, max: 99 })), name: fc.string() }, ({ list, name }) => {
  const extra = draw(fc.integer({ min: 0, max: 9 }), 'extra')
  assert.ok(list.every((n) => n < 50) || extra < 3 || typeof name !== 'string', 'a large number and a large extra')
})

fuzz('functions', { f: fc.func(fc.nat(100)) }, ({ f }) => {
  assert.ok(f(1) < 50, 'f gave a large number')
})

fuzz('a walk', {}, () => {
  let at = 0
  let steps = 0
  while (!outOfEntropy() && steps++ < 100) at += draw(fc.constantFrom(0, 1, 2), 'step')
  assert.ok(at < 5, 'it went too far')
})

class Account {
  balance = 0
}

fuzz(
  'instances',
  { account: fc.constant(0).map(() => new Account()), n: fc.integer() },
  ({ n }) => {
    assert.notEqual(n, 7777)
  },
  { examples: [{ account: new Account(), n: 7777 }] },
)
`,
}

const replayed = async (here: ReturnType<typeof project>, path: string): Promise<Line & { status: number | null }> => {
  const { status, stdout, stderr } = await here.call('replay', path, '--json')
  expect(stderr).toBe('')
  return { ...parsed(stdout)[0], status }
}

describe('a failure of the schedule', () => {
  const here = project(notes)
  let path: string
  let found: Line

  beforeAll(async () => {
    const { stdout } = await here.call('fuzz', 'notes.fuzz.ts', '--seed', '1', '--runs', '200', '--json')
    found = parsed(stdout)[0]!
    path = here.failures()[0]!
    expect(here.failures()).toEqual([found.saved])
  })

  const changed = (name: keyof typeof notes, from: string, to: string) => {
    here.write('notes.ts', notes['notes.ts'])
    here.write('notes.fuzz.ts', notes['notes.fuzz.ts'])
    here.edit(name, from, to)
  }

  it('is saved as one whole JSON file, with what a person wants to know', () => {
    const saved = JSON.parse(readFileSync(join(here.root, path), 'utf8'))
    expect(saved).toMatchObject({
      format: 'norn failure',
      version: 1,
      property: 'notes are kept',
      file: 'notes.fuzz.ts',
      inputText: "texts = [ '' ]",
      shrunk: true,
      traceHash: found.traceHash,
    })
    expect(JSON.stringify(saved)).not.toContain(here.root)
  })

  it('replays exactly in fresh processes', async () => {
    const calls = await Promise.all([1, 2].map(() => here.norn('replay', path, '--json')))
    const lines = calls.map(({ stdout }) => parsed(stdout)[0]!)
    expect(calls.map(({ status }) => status)).toEqual([1, 1])
    for (const line of lines)
      expect(line).toMatchObject({ exact: true, traceHash: found.traceHash, message: found.message })
    const { trace, nearest } = lines[0]!
    expect(trace[nearest.parting]).not.toMatchObject({ label: nearest.instead.label, event: nearest.instead.event })
    const text = await here.call('replay', path, '--all')
    expect(text.stdout).toContain(`replayed exactly: the same trace, ${found.traceHash}`)
    expect(text.stdout.match(/^ +[▶+]? *\d+\.\d\d /gm)).toHaveLength(trace.length)
  })

  it('is found by the number at the end of its name', async () => {
    const [, number] = /-([0-9a-f]{8})\.json$/.exec(path)!
    expect(await replayed(here, number!)).toMatchObject({ exact: true, status: 1 })
  })

  it('is gone once what was late is waited for: status 0, and how many choices were followed', async () => {
    changed('notes.ts', "  writeFile('notes.txt', text)\n  return undefined", "  return writeFile('notes.txt', text)")
    const { status, stdout } = await here.call('replay', path)
    expect(stdout).toMatch(
      /✓ notes are kept\n {2}no longer fails: followed 1 of 1 recorded choice; \d+ similar executions pass/,
    )
    expect(status).toBe(0)
  })

  it('is not called gone if what was late does not happen any more: status 3', async () => {
    changed('notes.ts', "  writeFile('notes.txt', text)", '  kept = text')
    here.edit('notes.ts', "return readFile('notes.txt', 'utf8')", 'return kept')
    here.edit('notes.ts', 'export function save', "let kept = ''\n\nexport function save")
    const { status, stdout } = await here.call('replay', path)
    expect(stdout).toMatch(/\? notes are kept\n {2}inconclusive: passes, but followed 0 of 1 recorded choice;/)
    expect(status).toBe(3)
  })

  it('is followed over lines that moved', async () => {
    changed('notes.ts', 'export function save', '// a comment\n\nexport function save')
    expect(await replayed(here, path)).toMatchObject({ status: 1, recorded: 1, followed: 1, neighbours: 0 })
    changed('notes.fuzz.ts', "fuzz('notes", "// a comment\nfuzz('notes")
    const { stdout } = await here.call('replay', path)
    expect(stdout).toContain('at notes.fuzz.ts:11:')
    expect(stdout).not.toContain('fails in another way')
  })

  it('is followed over an unrelated operation that is waited for before', async () => {
    changed('notes.fuzz.ts', '  for (', '  await sleep(3)\n  for (')
    const line = await replayed(here, path)
    expect(line).toMatchObject({
      status: 1,
      recorded: 1,
      followed: 1,
      neighbours: 0,
      exact: false,
      message: found.message,
    })
  })

  it('is followed where an unrelated operation took its label', async () => {
    changed('notes.ts', '  writeFile(', "  readFile('other.txt').catch(() => {})\n  writeFile(")
    expect(await replayed(here, path)).toMatchObject({ status: 1, message: found.message, followed: 1, neighbours: 0 })
  })

  it('says that it fails in another way, if it does', async () => {
    changed('notes.ts', "return readFile('notes.txt', 'utf8')", "throw new TypeError('not today')")
    const { status, stdout } = await here.call('replay', path)
    expect(stdout).toMatch(/fails differently; the saved failure was Error: ENOENT/)
    expect(stdout).toContain('TypeError: not today')
    expect(status).toBe(1)
  })

  it('refuses when its property, or its file, is gone', async () => {
    changed('notes.fuzz.ts', 'notes are kept', 'notes are lost')
    const renamed = await here.call('replay', path)
    expect(renamed.stderr).toContain("no longer declares the property 'notes are kept'; declared: 'notes are lost'")
    here.edit('notes.fuzz.ts', "fuzz('notes are lost'", 'void (')
    const none = await here.call('replay', path)
    expect(none.stderr).toMatch(/; declared: none|cannot load/)
    here.write('notes.fuzz.ts', '')
    const { status, stderr } = await here.call('replay', path)
    expect(stderr).toContain('declared: none')
    expect([renamed.status, none.status, status]).toEqual([2, 2, 2])
  })
})

describe('a failure of the input', () => {
  const here = project(inputs)
  const pathOf = (name: string) => here.failures().find((path) => path.includes(name))!
  const lines = new Map<string, Line>()

  beforeAll(async () => {
    const { stdout } = await here.call('fuzz', 'inputs.fuzz.ts', '--seed', '1', '--runs', '300', '--json')
    for (const line of parsed(stdout)) if (line.type === 'failure') lines.set(line.property, line)
  })

  it('is found as small as it gets', () => {
    expect(lines.get('values and draws')!.input).toBe("list = [ 50 ]\nname = ''\ndraw extra = 3")
    expect(lines.get('a walk')!.input).toMatch(/^(draw step = [012]\n?){3,5}$/)
    expect(lines.get('functions')!.input).toContain('[1] => 50')
  })

  it('prints the variables of the calls at the line that throws', async () => {
    const { stdout } = await here.call('replay', pathOf('a-walk'), '--locals')
    expect(stdout).toMatch(/variables of inputs\.fuzz\.ts:17\n {6}at = 5\n {6}steps = \d\n/)
    const line = await here.call('replay', pathOf('instances'), '--locals', '--json')
    expect(parsed(line.stdout)[0]!.locals).toMatchObject([
      { frame: { file: 'inputs.fuzz.ts' }, variables: [['n', '7777']] },
    ])
  })

  it('says why it has no variables, where nothing is thrown', async () => {
    here.write('never.fuzz.ts', `import { fuzz } from 'norn'\nfuzz('never', {}, () => new Promise(() => {}))\n`)
    await here.call('fuzz', 'never.fuzz.ts', '--runs', '1')
    const { stdout } = await here.call('replay', pathOf('never'), '--locals')
    expect(stdout).toContain('no variables: the failure is not thrown by a line of the project')
  })

  it('replays from its values after its arbitraries have changed', async () => {
    here.edit('inputs.fuzz.ts', 'fc.array(fc.integer({ min: 0, max: 99 }))', 'fc.constant([] as number[])')
    here.edit('inputs.fuzz.ts', 'fc.integer({ min: 0, max: 9 })', 'fc.constant(0)')
    expect(await replayed(here, pathOf('values-and-draws'))).toMatchObject({ status: 1, exact: true })
    // Names, not positions, say which value is which.
    here.edit(
      'inputs.fuzz.ts',
      '{ list: fc.constant([] as number[]), name: fc.string() }',
      '{ name: fc.nat(), list: fc.constant([]) }',
    )
    const { status, stdout } = await here.call('replay', pathOf('values-and-draws'))
    expect(stdout).toContain('list = [ 50 ]')
    expect(status).toBe(1)
    here.write('inputs.fuzz.ts', inputs['inputs.fuzz.ts'])
  })

  it('replays from its tape where its values cannot be written down', async () => {
    expect(JSON.parse(readFileSync(join(here.root, pathOf('functions')), 'utf8')).input).toBeNull()
    expect(await replayed(here, pathOf('functions'))).toMatchObject({ status: 1, exact: true })
  })

  it('replays an example that cannot be written down by its place, and says so when that is gone', async () => {
    expect(lines.get('instances')).toMatchObject({ example: 1, name: null })
    expect(await replayed(here, pathOf('instances'))).toMatchObject({ status: 1, exact: true })
    here.edit('inputs.fuzz.ts', '[{ account: new Account(), n: 7777 }]', '[]')
    const { status, stderr } = await here.call('replay', pathOf('instances'))
    expect(stderr).toContain('its input was example 1, which the property no longer has')
    expect(status).toBe(2)
  })
})

describe('shrinking', () => {
  const here = project({ ...notes, ...inputs })

  it('is left out by --no-shrink, and made up for by norn shrink, in place', async () => {
    const { stdout } = await here.call('fuzz', 'notes.fuzz.ts', '--seed', '1', '--runs', '200', '--no-shrink', '--json')
    const [found] = parsed(stdout)
    expect(found).toMatchObject({ shrinking: null, input: expect.not.stringMatching(/^texts = \[ '' \]$/) })
    const [path] = here.failures()
    const shrunk = await here.call('shrink', path!)
    expect(shrunk.stdout).toMatch(/shrunk in \d+ executions: 1-minimal/)
    expect(shrunk.status).toBe(1)
    expect(here.failures()).toEqual([path])
    const saved = JSON.parse(readFileSync(join(here.root, path!), 'utf8'))
    expect(saved).toMatchObject({ shrunk: true, inputText: "texts = [ '' ]" })
    expect(await replayed(here, path!)).toMatchObject({ exact: true, input: "texts = [ '' ]" })
  })

  it('says so where it does not fail any more', async () => {
    here.edit('notes.ts', "  writeFile('notes.txt', text)\n  return undefined", "  return writeFile('notes.txt', text)")
    const { status, stdout } = await here.call('shrink', here.failures()[0]!)
    expect(stdout).toMatch(/does not fail as saved\. For details run .* replay /)
    expect(status).toBe(3)
  })
})

describe('a failure of an example that needs a schedule', () => {
  const race = `  const order: string[] = []
  const read = (name: string) => readFile(name).then(() => order.push(name))
  await Promise.all([read('examples.fuzz.ts'), read('notes.ts')])
`
  const here = project({
    ...notes,
    'examples.fuzz.ts': `import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { draw, fc, fuzz } from 'norn'

fuzz('an input', { n: fc.nat(100) }, async ({ n }) => {
${race}  assert.ok(n !== 7 || order[0] !== 'notes.ts', 'read in another order')
}, { examples: [{ n: 7 }] })

fuzz('an input and a draw', { n: fc.nat(100) }, async ({ n }) => {
  const drawn = draw(fc.array(fc.nat(100)), 'drawn')
${race}  assert.ok(n !== 7 || drawn.length === 0 || order[0] !== 'notes.ts', 'read in another order')
}, { examples: [{ n: 7 }] })

fuzz.property('arguments and a draw', fc.asyncProperty(fc.nat(100), fc.nat(100), async (m, n) => {
  const drawn = draw(fc.array(fc.nat(100)), 'drawn')
${race}  assert.ok(m !== 7 || n !== 8 || drawn.length === 0 || order[0] !== 'notes.ts', 'read in another order')
}), { examples: [[7, 8]] })
`,
  })

  it.each(['an input', 'an input and a draw', 'arguments and a draw'])(
    'is confirmed, replays exactly, and still does after `norn shrink`: %s',
    async (name) => {
      const { stdout, status } = await here.call(
        ...['fuzz', 'examples.fuzz.ts', '--property', name, '--seed', '1', '--runs', '300', '--json'],
      )
      expect(status).toBe(1)
      const found = parsed(stdout).find(({ type }) => type === 'failure')!
      expect(found).toMatchObject({ property: name, example: 1, confirmed: true })
      const path = found.saved as string
      expect(await replayed(here, path)).toMatchObject({ status: 1, exact: true })
      expect((await here.call('shrink', path)).status).toBe(1)
      expect(await replayed(here, path)).toMatchObject({ status: 1, exact: true })
    },
  )
})
