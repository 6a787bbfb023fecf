import { expect, test } from 'vitest'
import { isFromStdin, type NodeLine, nodeLine } from '../../../src/world/isolates/node-line.ts'

const WITH_VALUE = ['-e', '--eval', '--conditions', '-r', '--require', '--import', '--input-type', '--env-file']
const takesValue = (option: string) => WITH_VALUE.includes(option)
const line = (text: string, own: string[] = []) => nodeLine(text.split(' '), own, takesValue)

test('options end at the script', () => {
  expect(line('--no-warnings --max-old-space-size=100 a.js --no-warnings -e')).toEqual({
    execArgv: ['--no-warnings', '--max-old-space-size=100'],
    options: ['--no-warnings', '--max-old-space-size=100'],
    preloads: [],
    envFiles: [],
    script: 'a.js',
    text: undefined,
    isModule: false,
    args: ['--no-warnings', '-e'],
  })
})

test('two dashes end the options, and are none', () => {
  expect(line('--no-warnings -- a.js -- b')).toMatchObject({
    execArgv: ['--no-warnings'],
    script: 'a.js',
    args: ['--', 'b'],
  })
})

test('a text takes the place of the script', () => {
  expect(line('-e 1+1 a b')).toMatchObject({ text: '1+1', args: ['a', 'b'], execArgv: ['-e', '1+1'] })
  expect(line('--input-type=module --eval=1')).toMatchObject({ text: '1', isModule: true })
})

test('the value of a text is printed', () => {
  for (const option of ['-p', '-pe', '--print'])
    expect(line(`${option} 1+1 a`)).toMatchObject({ text: 'console.log(eval("1+1"))', args: ['a'] })
})

test('the version is printed, whatever follows', () => {
  for (const text of ['-v', '--version a.js', '--no-warnings -v --what'])
    expect(line(text)).toMatchObject({ text: 'console.log(process.version)', args: [] })
})

test('options of the own process are shared, with their values', () => {
  expect(line('--conditions x a.js', ['--conditions', 'x'])).toMatchObject({ script: 'a.js' })
  expect(line('--conditions y a.js', ['--conditions', 'x'])).toBe('a Node with --conditions')
})

test('modules are loaded before, those of NODE_OPTIONS first', () => {
  const call = nodeLine(['-r', './a', '--import=b', 'main.js', '-r', 'none'], [], takesValue, ['--require', 'c'])
  expect(call).toMatchObject({
    script: 'main.js',
    preloads: [
      { kind: 'require', specifier: 'c' },
      { kind: 'require', specifier: './a' },
      { kind: 'import', specifier: 'b' },
    ],
  })
  expect(line('--import x -r y a.js', ['--import', 'x'])).toMatchObject({
    preloads: [{ kind: 'require', specifier: 'y' }],
  })
})

test('files with variables keep their order', () => {
  const envFiles = [
    { path: 'a', isOptional: false },
    { path: 'b', isOptional: true },
  ]
  expect(line('--env-file a --env-file-if-exists=b c.js')).toMatchObject({ envFiles, script: 'c.js' })
})

test('without a script or a text it reads its standard input', () => {
  const isRead = (text: string) => isFromStdin(line(text) as NodeLine)
  expect(['-', '--no-warnings', '- a', 'a.js', '-e 1'].map(isRead)).toEqual([true, true, true, false, false])
})

test('what does more than run a script is named', () => {
  expect(line('a.js -r')).toMatchObject({ script: 'a.js' })
  expect(line('--import')).toBe('a Node with --import')
  expect(nodeLine(['a.js'], [], takesValue, ['--inspect'])).toBe('a Node with --inspect in NODE_OPTIONS')
  expect(line('--inspect a.js')).toBe('a Node with --inspect')
  expect(line('--max-http-header-size=1 a.js')).toBe('a Node with --max-http-header-size=1')
  expect(line('-e 1 --max-http-header-size=1')).toBe('a Node with --max-http-header-size=1')
  expect(line('--input-type=what -e 1')).toBe('a Node with --input-type=what')
})
