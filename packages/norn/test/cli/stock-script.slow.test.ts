/** `norn replay --script`: a failure as a script that was seen to fail on stock Node. */
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project } from './project.ts'

const here = project({
  'races.fuzz.ts': `import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, fuzz } from 'norn'

fuzz('a read comes first', { n: fc.nat(5) }, async ({ n }) => {
  const path = join(await mkdtemp(join(tmpdir(), 'norn-stock-')), 'a.txt')
  await writeFile(path, '0')
  const read = async () => {
    return Number(await readFile(path, 'utf8'))
  }
  const write = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
    await writeFile(path, String(n + 1))
  }
  const [seen] = await Promise.all([read(), write()])
  if (seen !== 0) throw new Error('saw ' + seen)
})

fuzz('is small', { list: fc.array(fc.nat()) }, ({ list }) => {
  if (list.length > 1) throw new Error('long: ' + list)
})

fuzz('never settles', {}, () => new Promise(() => {}))

fuzz('fails under norn alone', {}, () => {
  if (!process.execArgv.includes('--experimental-transform-types')) throw new Error('not stock')
})
`,
})

// Stock Node finds norn there.
symlinkSync(resolve(import.meta.dirname, '../../../../node_modules'), join(here.root, 'node_modules'))

async function scriptOf(property: string) {
  await here.call('fuzz', 'races.fuzz.ts', '--property', property, '--runs', '300', '--seed', '3')
  return here.call('replay', property.replaceAll(' ', '-'), '--script')
}

describe('a script', () => {
  it.each([
    ['a read comes first', /"at": "races\.fuzz\.ts:10",\n {4}"nth": 1,\n {4}"when": "before"/],
    ['is small', /const INPUT = \{list:\[0,0\]\}/],
    ['never settles', /const DELAYS = \[\]/],
  ])('of %s fails on stock Node, with its input and its delay', async (property, holds) => {
    const { status, stdout, stderr } = await scriptOf(property)
    expect(stderr).toMatch(/fails on stock Node .* in 3 of 3 runs/)
    expect(stdout).toMatch(holds)
    expect(status).toBe(0)
  })

  it('is not claimed where stock Node passes', async () => {
    const { status, stdout, stderr } = await scriptOf('fails under norn alone')
    expect(stderr).toMatch(/no script: on stock Node .* it passes in 3 runs/)
    expect([status, stdout]).toEqual([3, ''])
  })
})
