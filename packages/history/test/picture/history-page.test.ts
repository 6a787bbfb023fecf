/** What stands in a page, without a browser. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { historyPage } from '../../src/picture/history-page.ts'
import { SCRIPT, SCRIPT_HASH } from '../../src/picture/script/script.ts'

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

test('the policy allows this script alone, which browsers can parse', () => {
  expect(() => new Function(SCRIPT)).not.toThrow()
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  expect(SCRIPT_HASH, 'the script has changed: put its new hash into script.ts').toBe(`sha256-${hash}`)
  const page = historyPage({ verdict: 'unknown', reason: '' }, { operations: [] })
  expect(page).toContain(`<script>${SCRIPT}</script>`)
  expect(page).toContain("default-src 'none'")
})

test('long texts are cut, and say how long they are', () => {
  const operation = { process: 0, input: 'x'.repeat(100_000), output: 1, outcome: 'ok' as const, call: 0, return: 1 }
  const page = historyPage({ verdict: 'ok', linearizations: [[0]] }, { operations: [operation] })
  expect(page.length).toBeLessThan(50_000)
  expect(page).toContain('… (100006 characters)')
})
