/** What stands in a page, without a browser. */
import { expect, test } from 'vitest'
import type { History } from '../../src/history/operation.ts'
import { type PageOptions, pageWith } from '../../src/picture/history-page.ts'
import type { CheckedResult } from '../../src/picture/picture-data.ts'

/** With a script that does nothing: bundling takes a process. */
const historyPage = (result: CheckedResult, history: History, options: PageOptions = {}) =>
  pageWith({ text: 'script()', hash: 'sha256-x' }, result, history, options)

const EVIL = '</script><script>alert(1)</script><!--'

test('text of the history is never markup, and nothing comes from elsewhere', () => {
  const operation = { process: EVIL, input: { f: 'write', value: EVIL }, output: undefined, outcome: 'ok' as const }
  const page = historyPage(
    { verdict: 'unknown', reason: EVIL },
    { operations: [{ ...operation, call: 0, return: 1 }] },
    { title: EVIL },
  )
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page.match(/<\/script/g)).toHaveLength(2)
  expect(page).not.toContain('<!--')
  expect(page).not.toMatch(/https?:/)
  const [, json] = /type="application\/json">(.*?)<\/script>/.exec(page)!
  expect(JSON.parse(json!).lanes).toEqual([EVIL])
})

test('equal times stand at one place of the axis, open operations reach its end', () => {
  const base = { input: 1, output: undefined }
  const page = historyPage(
    { verdict: 'ok', linearizations: [[0, 1]] },
    {
      operations: [
        { ...base, process: 0, outcome: 'ok', call: 10, return: 2000 },
        { ...base, process: 1, outcome: 'unknown', call: 2000, return: Number.POSITIVE_INFINITY },
      ],
    },
  )
  const data = JSON.parse(/type="application\/json">(.*?)<\/script>/.exec(page)![1]!)
  expect(data.operations).toMatchObject([
    { call: 0, return: 1 },
    { call: 1, return: 2 },
  ])
})

test('the policy allows its script alone', () => {
  const page = historyPage({ verdict: 'unknown', reason: '' }, { operations: [] })
  expect(page).toContain('<script>script()</script>')
  expect(page).toContain("default-src 'none'; script-src 'sha256-x'")
})

test('long texts are cut, and say how long they are', () => {
  const operation = { process: 0, input: 'x'.repeat(100_000), output: 1, outcome: 'ok' as const, call: 0, return: 1 }
  const page = historyPage({ verdict: 'ok', linearizations: [[0]] }, { operations: [operation] })
  expect(page.length).toBeLessThan(50_000)
  expect(page).toContain('… (100006 characters)')
})
