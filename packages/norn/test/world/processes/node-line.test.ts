import { expect, test } from 'vitest'
import { nodeLine } from '../../../src/world/processes/node-line.ts'

const takesValue = (option: string) => ['-e', '--eval', '--conditions', '--import', '--input-type'].includes(option)
const line = (text: string, own: string[] = []) => nodeLine(text.split(' '), own, takesValue)

test('options end at the script', () => {
  expect(line('--no-warnings --max-old-space-size=100 a.js --no-warnings -e')).toEqual({
    execArgv: ['--no-warnings', '--max-old-space-size=100'],
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

test('options of the own process are shared, with their values', () => {
  expect(line('--conditions x a.js', ['--conditions', 'x'])).toMatchObject({ script: 'a.js' })
  expect(line('--conditions y a.js', ['--conditions', 'x'])).toBe('a Node with --conditions')
})

test('what does more than run a script is named', () => {
  expect(line('--import ./x.js a.js')).toBe('a Node with --import')
  expect(line('--inspect a.js')).toBe('a Node with --inspect')
  expect(line('--max-http-header-size=1 a.js')).toBe('a Node with --max-http-header-size=1')
  expect(line('-')).toBe('a Node that reads its program from stdin')
  expect(line('-e 1 --max-http-header-size=1')).toBe('a Node with --max-http-header-size=1')
  expect(line('--input-type=what -e 1')).toBe('a Node with --input-type=what')
})
