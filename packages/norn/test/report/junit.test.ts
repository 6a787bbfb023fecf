import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { junitXml } from '../../src/report/junit.ts'
import type { Outcome } from '../../src/report/outcome.ts'
import { HOSTILE, HOSTILE_PROBLEM, PROBLEM, UNDECIDED } from './problems.ts'

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly within: string
}

/** The elements in the order in which they begin. A strict parser: it throws if they are not XML. */
function elements(xml: string): Element[] {
  const found: (Element & { text: string })[] = []
  const open: (Element & { text: string })[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '', within: open.at(-1)?.name ?? '' }
    found.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return found
}

const CASE: Outcome = { file: 'a.fuzz.ts', property: 'p', verdict: 'passed', timeMs: 1500, problems: [] }

test('a file is a suite, a property is a case with its time', () => {
  const [all, suite, one, other, second, third] = elements(
    junitXml([CASE, { ...CASE, property: 'q' }, { ...CASE, file: 'b.fuzz.ts', timeMs: 1 }]),
  )
  const counts = { failures: '0', errors: '0', skipped: '0' }
  expect(all).toMatchObject({ name: 'testsuites', attributes: { tests: '3', time: '3.001', ...counts } })
  expect(suite).toMatchObject({ name: 'testsuite', attributes: { name: 'a.fuzz.ts', tests: '2', ...counts } })
  expect(one).toMatchObject({ name: 'testcase', within: 'testsuite', attributes: { name: 'p', time: '1.500' } })
  expect(other!.attributes).toMatchObject({ name: 'q', classname: 'a.fuzz.ts', file: 'a.fuzz.ts' })
  expect([second!.attributes.name, third!.attributes.classname]).toEqual(['b.fuzz.ts', 'b.fuzz.ts'])
})

test('a failed property has a failure, an inconclusive one an error, a skipped one says why', () => {
  const [all, , ...rest] = elements(
    junitXml([
      { ...CASE, verdict: 'failed', problems: [PROBLEM] },
      { ...CASE, verdict: 'undecided', problems: [UNDECIDED] },
      { ...CASE, verdict: 'skipped', why: 'a test of vitest' },
    ]),
  )
  expect(all!.attributes).toMatchObject({ tests: '3', failures: '1', errors: '1', skipped: '1' })
  expect(rest.filter(({ name }) => name !== 'testcase')).toMatchObject([
    { name: 'failure', attributes: { type: 'error', message: '3 !== 5' }, text: 'the whole report\n  in two lines' },
    { name: 'error', attributes: { type: 'inconclusive', message: 'uncontrolled: a device' } },
    { name: 'skipped', attributes: { message: 'a test of vitest' } },
  ])
})

test('several problems of a property share one element, which the verdict names', () => {
  const found = elements(junitXml([{ ...CASE, verdict: 'failed', problems: [UNDECIDED, PROBLEM] }])).slice(3)
  expect(found).toMatchObject([{ name: 'failure', attributes: { message: '3 !== 5' } }])
  expect(found[0]!.text).toBe(`${PROBLEM.text}\n\n${UNDECIDED.text}`)
})

test('no name and no message breaks the XML', () => {
  const hostile = { ...CASE, file: HOSTILE, property: HOSTILE }
  const problems = [HOSTILE_PROBLEM]
  const found = elements(
    junitXml([
      { ...hostile, verdict: 'failed', problems },
      { ...hostile, verdict: 'skipped', why: HOSTILE },
    ]),
  )
  expect(found.map(({ name }) => name)).toEqual([
    'testsuites',
    'testsuite',
    'testcase',
    'failure',
    'testcase',
    'skipped',
  ])
  const shown = '\\u0000\\b\\u001b[31m\\u0085 ]]> <a b="c">&amp; \'%0A 100% ::error::\\r\\n, \\ud800 \ufffd'
  expect(found[2]!.attributes.name).toBe(shown)
  expect(found[3]!.attributes.message).toBe(shown)
  expect(found[3]!.text).toBe(shown.replace('\\n', '\n'))
})
