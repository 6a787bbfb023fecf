/**
 * The guided search as it is called: `--guide`, `--corpus`, `--workers`, and marks that have to be
 * reached.
 */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { decodeChoices } from '../../src/tape/codec.ts'
import { ended, type Line, parsed, project, start } from './project.ts'

const here = project({
  'vault.fuzz.ts': `import { fc, fuzz } from 'norn'
const digit = fc.integer({ min: 0, max: 9999 })
fuzz('the vault stays shut', { a: digit, b: digit }, ({ a, b }) => {
  if (a === 1234 && b === 4321) throw new Error('it is open')
})
`,
  'marks.fuzz.ts': `import { fc, fuzz, note } from 'norn'
const n = fc.nat(9)
fuzz('marks', { n }, ({ n }) => {
  if (n < 5) note('small')
  if (n > 9) note('large')
}, { required: ['small', 'large'] })
`,
})

const CORPUS = join(here.root, '.norn', 'corpus')

beforeEach(() => {
  rmSync(join(here.root, '.norn'), { recursive: true, force: true })
})

function timeless(line: Line): string {
  return JSON.stringify(line, (key, value) => (/time|Ms$/i.test(key) ? undefined : value))
}

const linesOf = ({ stdout }: { stdout: string }) => parsed(stdout).map(timeless)

/** The files of the corpus, by their path. */
function corpus(): [string, string][] {
  const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  return files.sort().map((name) => [name, readFileSync(join(CORPUS, name), 'utf8')])
}

describe('--guide', () => {
  it.each(['edge', '', 'all,none'])('"%s" is refused with what there is', async (guide) => {
    const { status, stderr } = await here.call('fuzz', 'vault.fuzz.ts', '--guide', guide)
    expect(status).toBe(2)
    expect(stderr).toContain('expected some of edges,order,compare,trace,model, or all, or none')
  })

  it('finds by comparisons what chance does not, and says that it did', async () => {
    const call = ['fuzz', 'vault.fuzz.ts', '--runs', '2000', '--seed', '1', '--json']
    const guided = parsed((await here.call(...call, '--guide', 'compare')).stdout)
    expect(guided[0]).toMatchObject({ type: 'failure', strategy: 'guided', name: null, confirmed: true })
  })

  it('none is the search by chance alone', async () => {
    const { stdout } = await here.call('fuzz', 'vault.fuzz.ts', '--runs', '300', '--guide', 'none', '--json')
    expect(parsed(stdout)[0]).toMatchObject({ type: 'summary', executions: 300, distinctFailures: 0 })
    expect(parsed(stdout)[0]).not.toHaveProperty('guided')
  })
})

describe('with one worker and a budget in runs', () => {
  const call = ['fuzz', 'vault.fuzz.ts', '--runs', '300', '--seed', '3', '--no-saved', '--json']

  it('two processes give the same lines, and leave no corpus', async () => {
    const [first, second] = await Promise.all([here.norn(...call), here.norn(...call)])
    expect(first.stderr).toBe('')
    expect(linesOf(first)).toEqual(linesOf(second))
    expect(() => corpus()).toThrow('ENOENT')
  })

  it('from the same corpus they give the same lines and leave the same corpus', async () => {
    await here.call('fuzz', 'vault.fuzz.ts', '--runs', '100', '--seed', '9', '--corpus')
    const copy = join(here.root, 'copy')
    cpSync(CORPUS, copy, { recursive: true })
    const first = await here.norn(...call, '--corpus')
    const left = corpus()
    rmSync(CORPUS, { recursive: true })
    cpSync(copy, CORPUS, { recursive: true })
    const second = await here.norn(...call, '--corpus')
    expect(linesOf(first)).toEqual(linesOf(second))
    expect(corpus()).toEqual(left)
  })

  it('a search goes on where the last one ended', async () => {
    const [found] = parsed(
      (await here.call('fuzz', 'vault.fuzz.ts', '--runs', '3000', '--seed', '1', '--corpus', '--json')).stdout,
    )
    const again = await here.call(
      'fuzz',
      'vault.fuzz.ts',
      '--runs',
      '3000',
      '--seed',
      '2',
      '--corpus',
      '--no-saved',
      '--json',
    )
    expect(parsed(again.stdout)[0]).toMatchObject({ type: 'failure' })
    expect(parsed(again.stdout)[0]!.foundAt).toBeLessThan(found!.foundAt)
  })
})

describe('marks', () => {
  it('one that is required and was never reached leaves it undecided, by name', async () => {
    const { status, stdout } = await here.call('fuzz', 'marks.fuzz.ts', '--runs', '50', '--seed', '1')
    expect(stdout).toContain("required note never reached: 'large'")
    expect(stdout).not.toContain("'small', which")
    expect(status).toBe(3)
  })
})

describe('--workers', () => {
  it('several find together, and tell of a failure once', async () => {
    const call = ['fuzz', 'vault.fuzz.ts', '--runs', '12000', '--seed', '1', '--workers', '2', '--json']
    const { status, stdout } = await here.call(...call)
    expect(parsed(stdout).map(({ type }) => type)).toEqual(['failure', 'summary', 'end'])
    expect(parsed(stdout)[1]).toMatchObject({ distinctFailures: 1 })
    expect(here.failures()).toHaveLength(1)
    expect(status).toBe(1)
  })

  it('share the runs', async () => {
    const { stdout } = await here.call('fuzz', 'marks.fuzz.ts', '--runs', '101', '--workers', '2', '--json')
    expect(parsed(stdout).find(({ type }) => type === 'summary')).toMatchObject({ executions: 101 })
  })

  it('end on Ctrl-C, all of them', async () => {
    const norn = start(here.root, ['fuzz', 'marks.fuzz.ts', '--time', '10m', '--workers', '2', '--json'])
    const outcome = ended(norn)
    await until(() => corpus().length > 0)
    norn.kill('SIGINT')
    const { status, stdout } = await outcome
    expect(parsed(stdout).at(-1)).toMatchObject({ type: 'end', interrupted: true })
    expect(status).toBe(3)
  })
})

it('one that is killed leaves a corpus that can be read', async () => {
  const norn = start(here.root, ['fuzz', 'vault.fuzz.ts', '--time', '10m', '--guide', 'order,edges'])
  const outcome = ended(norn)
  await until(() => corpus().length > 0)
  norn.kill('SIGKILL')
  await outcome
  for (const [, text] of corpus()) decodeChoices(JSON.parse(text).tape)
  const { stdout } = await here.call('fuzz', 'vault.fuzz.ts', '--runs', '20', '--corpus', '--json')
  expect(parsed(stdout).filter(({ type }) => type === 'warning')).toEqual([])
})

async function until(condition: () => boolean): Promise<void> {
  for (;;) {
    try {
      if (condition()) return
    } catch {}
    await sleep(20)
  }
}

describe('--cover', () => {
  it('refuses a package that is not there: with a typing error it would observe nothing', async () => {
    const { status, stderr } = await here.call('fuzz', 'vault.fuzz.ts', '--cover', 'no-such-package')
    expect(status).toBe(2)
    expect(stderr).toContain('norn: --cover no-such-package: the files cannot import this package')
  })
})
