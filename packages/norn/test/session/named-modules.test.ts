/** The modules that a saved failure names are of the project, or are refused. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mergeAliases, propertyFile } from '../../src/session/named-modules.ts'
import { FailureFileError } from '../../src/storage/failure-file.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'norn-named-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const root = join(base, 'project')
mkdirSync(join(root, '.norn/failures'), { recursive: true })
for (const file of ['outside.ts', 'project/in.ts', 'project/.norn/failures/data.ts'])
  writeFileSync(join(base, file), '')
symlinkSync('in.ts', join(root, 'link-in.ts'))
symlinkSync('../outside.ts', join(root, 'link-out.ts'))
symlinkSync('..', join(root, 'up'))

describe('the property file', () => {
  it.each(['in.ts', 'link-in.ts', 'up/project/in.ts'])('%s is of the project', (file) => {
    expect(propertyFile('x.json', { file }, root)).toBe(join(root, file))
  })

  it.each(['link-out.ts', 'up/outside.ts', '.norn/failures/data.ts'])('%s is not, and is refused', (file) => {
    const named = () => propertyFile('x.json', { file }, root)
    expect(named).toThrow(FailureFileError)
    expect(named).toThrow(/its file of properties leads outside the project/)
  })

  it.each(['gone.ts', 'up', 'in.ts\0'])('%j does not exist', (file) => {
    expect(() => propertyFile('x.json', { file }, root)).toThrow(/its file of properties does not exist/)
  })
})

describe('aliases', () => {
  it('of the failure are confined, unless the call names them', () => {
    const merged = mergeAliases(
      'x.json',
      [
        ['a', './in.ts'],
        ['b', 'c'],
      ],
      [['b', 'd']],
      root,
    )
    expect(merged).toEqual({
      aliases: [
        ['b', 'd'],
        ['a', join(root, 'in.ts')],
      ],
      confined: ['a'],
    })
  })

  it.each(['../outside.ts', './a/../../b', '/etc/x.mjs', '.\\..\\x.ts'])('%s leads outside', (to) => {
    expect(() => mergeAliases('x.json', [['a', to]], [], root)).toThrow(
      /leads outside the project; .* pass --alias a=PATH/,
    )
  })

  it('may have any name', () => {
    const names = ['__proto__', 'constructor', ''].map((name) => [name, name] as const)
    expect(mergeAliases('x.json', names, [], root)).toEqual({
      aliases: names,
      confined: ['__proto__', 'constructor', ''],
    })
  })
})
