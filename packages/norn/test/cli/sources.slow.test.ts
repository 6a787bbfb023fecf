/**
 * Files of properties in every form that Node knows; stacks and origins name the lines that the
 * user wrote.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, parsed, project } from './project.ts'

const body = `{
  const total = add(1, n)
  if (n > 5) throw new Error('from the property')
  return total
}`

const here = project({
  'types.fuzz.ts': `import { type Arbitrary } from 'fast-check'
import { fc, fuzz } from 'norn'
import { add } from './lib.ts'

enum Limit {
  Low = 1,
  High = 5,
}

interface Input {
  n: number
}

const small: Arbitrary<number> = fc.nat(100)

fuzz<Input>('typed', { n: small }, ({ n }: Input): void => {
  const total: number = add(1, n) as number
  if (total > Limit.High) throw new Error('from the property')
})
`,
  'lib.ts': `export function add<T extends number>(a: T, b: number): number {
  return a + b
}
`,
  'writes.fuzz.ts': `import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fuzz } from 'norn'

fuzz('imports what it wrote', {}, async () => {
  writeFileSync(join(import.meta.dirname, 'made.ts'), 'export const made: number = 3')
  const { made } = await import('./made.js' as string)
  if (made === 3) throw new Error('it was found')
})
`,
  'module.fuzz.mjs': `import { fc, fuzz } from 'norn'
const add = (a, b) => a + b
fuzz('module', { n: fc.nat(100) }, ({ n }) => ${body})
`,
  'common.fuzz.cjs': `const { fc, fuzz } = require('norn')
const add = (a, b) => a + b
fuzz('common', { n: fc.nat(100) }, ({ n }) => ${body})
`,
  'plain.fuzz.js': `import { fc, fuzz } from 'norn'
const add = (a, b) => a + b
fuzz('plain', { n: fc.nat(100) }, ({ n }) => ${body})
`,
  'package.json': `{ "type": "module" }`,
  'dependency.fuzz.ts': `import old from 'old-package'
import { fuzz } from 'norn'

enum Colour { Red }

fuzz('through a package', {}, async () => {
  await new Promise<void>((done, fail) => {
    old.check(Colour.Red, (error: Error | null) => (error ? fail(error) : done()))
  })
})
`,
  'node_modules/old-package/package.json': `{ "name": "old-package", "main": "lib/index.js" }`,
  'node_modules/old-package/lib/index.js': `'use strict'
var fs = require('fs')

exports.check = function check(colour, callback) {
  fs.stat('gone.txt', function statted(error) {
    callback(new Error('the package says ' + error.code))
  })
}
`,
})

const failures = new Map<string, Line>()
let text = ''
beforeAll(async () => {
  const files = ['types.fuzz.ts', 'module.fuzz.mjs', 'common.fuzz.cjs', 'plain.fuzz.js', 'dependency.fuzz.ts']
  const { stdout } = await here.call('fuzz', ...files, '--runs', '30', '--seed', '1', '--json')
  for (const line of parsed(stdout)) if (line.type === 'failure') failures.set(line.property, line)
  text = (await here.call('fuzz', 'dependency.fuzz.ts', '--runs', '3')).stdout
})

describe('a file of properties', () => {
  it.each([
    ['typed', { file: 'types.fuzz.ts', line: 18, column: 33, functionName: '' }],
    ['module', { file: 'module.fuzz.mjs', line: 5, column: 20, functionName: '' }],
    ['common', { file: 'common.fuzz.cjs', line: 5, column: 20, functionName: '' }],
    ['plain', { file: 'plain.fuzz.js', line: 5, column: 20, functionName: '' }],
  ])('%s fails where its author sees it', (name, frame) => {
    expect(failures.get(name)).toMatchObject({ message: 'from the property', frames: [frame] })
  })

  it('through a CommonJS package: its frames, in its own lines', () => {
    expect(failures.get('through a package')!.frames[0]).toEqual({
      file: 'node_modules/old-package/lib/index.js',
      line: 6,
      column: 14,
      functionName: expect.stringContaining('statted'),
    })
    expect(text).toContain('old-package/lib/index.js:5')
  })

  it('finds TypeScript by .js, also what an execution wrote', async () => {
    const { stdout } = await here.call('fuzz', 'writes.fuzz.ts', '--runs', '3', '--json')
    expect(parsed(stdout).find(({ type }) => type === 'failure')).toMatchObject({ message: 'it was found' })
  })
})
