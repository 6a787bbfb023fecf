import { expect, test } from 'vitest'
import { annotation } from '../../src/report/annotation.ts'
import { HOSTILE_PROBLEM, PROBLEM, UNDECIDED } from './problems.ts'

/** A workflow command as GitHub's runner reads it. */
function read(line: string) {
  const [, command, list = '', message = ''] = /^::(\w+) ([^\n]*?)::([^\n]*)$/.exec(line) ?? []
  const plain = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n')
  const properties = list.split(',').map((each) => {
    const [name = '', value = ''] = each.split('=')
    return [name, plain(value).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')]
  })
  return { command, ...Object.fromEntries(properties), message: plain(message).replaceAll('%25', '%') }
}

test('a failure is an error at its line and column, with the commands that replay it', () => {
  expect(annotation(PROBLEM)).toBe(
    '::error file=test/account.fuzz.ts,line=9,col=3,title=deposits are kept::' +
      '3 !== 5%0Afound in execution 2%0Areplay: npx norn replay a.json',
  )
})

test('an inconclusive property is a warning; without a column it has none', () => {
  expect(annotation(UNDECIDED)).toBe('::warning file=test/account.fuzz.ts,line=1,title=waits::uncontrolled: a device')
})

test('no name, path or message ends the command or adds a property', () => {
  const { path } = HOSTILE_PROBLEM.place
  const simple = {
    ...HOSTILE_PROBLEM,
    property: 'a,b::c=%3A\nd'.replace('=', ''),
    headline: 'm\r\n::error::%0A',
    remarks: [],
  }
  expect(read(annotation({ ...simple, place: { path: 'a:b,c%', line: 1 } }))).toEqual({
    command: 'error',
    file: 'a:b,c%',
    line: '1',
    title: 'a,b::c%3A\nd',
    message: 'm\r\n::error::%0A',
  })
  expect(path).toContain('\n')
  expect(annotation(HOSTILE_PROBLEM)).not.toMatch(/[\r\n]/)
})
