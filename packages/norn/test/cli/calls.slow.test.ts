/** A wrong call, or wrong input, ends with status 2 and says what to do in a few lines. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OWN_STACK, project } from './project.ts'

const here = project({
  'ok.fuzz.ts': `import { fuzz } from 'norn'\nfuzz('is fine', {}, () => {})\n`,
  'parse.fuzz.ts': `import { fuzz } from 'norn'\nconst x: number = = 3\n`,
  'throws.fuzz.ts': `import { fuzz } from 'norn'\nfunction setUp() {\n  throw new Error('no configuration')\n}\nsetUp()\n`,
  'imports.fuzz.ts': `import { fuzz } from 'norn'\nimport './gone.ts'\n`,
  'package.fuzz.ts': `import { fuzz } from 'norn'\nimport 'no-such-package'\n`,
  'twice.fuzz.ts': `import { fuzz } from 'norn'\nfuzz('a', {}, () => {})\nfuzz('a', {}, () => {})\n`,
  'list.fuzz.ts': `import { fuzz, fc } from 'norn'\nfuzz('a', [fc.nat()], () => {})\n`,
  'arbitrary.fuzz.ts': `import { fuzz, fc } from 'norn'\nfuzz('a', fc.nat(), () => {})\n`,
  'input.fuzz.ts': `import { fuzz } from 'norn'\nfuzz('a', { x: 3 }, () => {})\n`,
  'await.fuzz.ts': `await new Promise(() => {})\n`,
  'notes/a.md': ``,
})
symlinkSync('loop.fuzz.ts', join(here.root, 'loop.fuzz.ts'))

/** The call, and what its message has to say. */
const WRONG: readonly (readonly [call: string, says: RegExp])[] = [
  ['', /Usage: norn/],
  ['bogus', /unknown command 'bogus'/],
  ['fuzz *.gone.ts', /no file matches \*\.gone\.ts/],
  ['fuzz gone.fuzz.ts', /no such file or folder: gone\.fuzz\.ts/],
  ['fuzz loop.fuzz.ts', /cannot open loop\.fuzz\.ts: ELOOP/],
  ['fuzz notes', /no files of properties \(\*\.fuzz\.ts\) in the folder notes/],
  ['fuzz ok.fuzz.ts --bogus', /unknown option '--bogus'/],
  ['fuzz ok.fuzz.ts --seed x', /--seed .* expected a whole number from 0 to 4294967295/],
  ['fuzz ok.fuzz.ts --seed -1', /--seed .* expected a whole number/],
  ['fuzz ok.fuzz.ts --seed 4294967296', /--seed .* expected a whole number/],
  ['fuzz ok.fuzz.ts --time soon', /--time .* expected a duration such as 500ms, 30s or 5m/],
  ['fuzz ok.fuzz.ts --time 0', /--time .* expected a duration from 1ms/],
  ['fuzz ok.fuzz.ts --runs 0', /^norn: --runs 0: expected a whole number from 1\n/],
  ['fuzz ok.fuzz.ts --runs 1e3', /--runs .* expected a whole number from 1/],
  ['fuzz ok.fuzz.ts --hang 0', /--hang .* expected a duration/],
  ['fuzz ok.fuzz.ts --strategy fast', /unknown strategy "fast": expected one of portfolio, natural, random, pct/],
  ['fuzz ok.fuzz.ts --strategy pct:0', /unknown strategy "pct:0"/],
  ['fuzz ok.fuzz.ts --execution one', /"one" does not name an execution: expected one unsigned 64-bit number/],
  ['fuzz ok.fuzz.ts --execution 18446744073709551616', /does not fit into 64 bits/],
  ['fuzz ok.fuzz.ts --alias x', /--alias .* expected FROM=TO/],
  ['fuzz ok.fuzz.ts --alias x=./gone.js', /--alias x=\.\/gone\.js: no such file: .*gone\.js/],
  ['fuzz parse.fuzz.ts', /cannot load parse\.fuzz\.ts\n.*parse\.fuzz\.ts:2:19\n.*= = 3\n +\^\n\n {2}SyntaxError/],
  [
    'fuzz throws.fuzz.ts',
    /cannot load throws\.fuzz\.ts\n {2}Error: no configuration\n {6}at setUp \(throws\.fuzz\.ts:3:9\)/,
  ],
  [
    'fuzz imports.fuzz.ts',
    /cannot load imports\.fuzz\.ts\n.*imports\.fuzz\.ts:2:8\n {2}import '\.\/gone\.ts'\n {9}\^[\s\S]*Cannot find module .*gone\.ts' imported from .*imports/,
  ],
  ['fuzz package.fuzz.ts', /Cannot find package 'no-such-package'/],
  [
    'fuzz twice.fuzz.ts',
    /duplicate property name: 'a'. Choose a name that is unique in its file\n {6}at twice\.fuzz\.ts:3/,
  ],
  [
    'fuzz list.fuzz.ts',
    /fuzz\('a', inputs, body\): inputs must be an object of arbitraries by name[\s\S]*list\.fuzz\.ts:2/,
  ],
  ['fuzz arbitrary.fuzz.ts', /inputs must be an object of arbitraries by name, as in \{ list: /],
  ['fuzz input.fuzz.ts', /fuzz\('a'\): input 'x' is not a fast-check arbitrary\n {6}at input\.fuzz\.ts:2/],
  ['fuzz await.fuzz.ts', /a top-level await never settled/],
  ['replay gone.json', /gone\.json: no such file/],
  ['replay 7575bae8', /no such file or saved failure: 7575bae8/],
  ['shrink ok.fuzz.ts', /ok\.fuzz\.ts: not JSON/],
]

describe('a wrong call', () => {
  it.each(WRONG)('norn %s', async (call, says) => {
    const { status, stdout, stderr } = await here.call(...call.split(' ').filter((word) => word !== ''))
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(OWN_STACK)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })
})

describe('help', () => {
  it('and a wrong call end the process with their status', async () => {
    const [help, wrong] = await Promise.all([here.norn('--help'), here.norn('fuzz', 'ok.fuzz.ts', '--bogus')])
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(wrong).toMatchObject({ status: 2, stdout: '' })
  })

  it('tells the exit statuses, and is no error', async () => {
    const { status, stdout } = await here.call('--help')
    expect(stdout).toContain(
      'Exit status: 0 no failure found, 1 failure found, 2 invalid call or input, 3 inconclusive.',
    )
    expect(status).toBe(0)
  })

  it('tells every option of fuzz', async () => {
    const { stdout } = await here.call('fuzz', '--help')
    for (const option of [
      '--time',
      '--runs',
      '--seed',
      '--strategy',
      '--property',
      '--execution',
      '--alias',
      '--hang',
    ]) {
      expect(stdout).toContain(option)
    }
  })
})

describe('loading', () => {
  const loading = 'loading ok.fuzz.ts\r\u001b[2K'
  const stderrOf = async (isTTY: boolean, ...more: string[]) => {
    const { isTTY: before } = process.stderr
    process.stderr.isTTY = isTTY
    try {
      return (await here.call('fuzz', 'ok.fuzz.ts', '--runs', '1', ...more)).stderr
    } finally {
      process.stderr.isTTY = before
    }
  }

  it('is shown on a terminal until the file is loaded', async () => {
    expect(await stderrOf(true)).toContain(loading)
  })

  it('is not shown elsewhere, nor beside JSON lines', async () => {
    expect(await stderrOf(false)).toBe('')
    expect(await stderrOf(true, '--json')).not.toContain('loading')
  })
})
