/** Pages in headless Chromium: they show what is wrong, ask for nothing, and stay quick. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkIsolation } from '../../src/isolation/check.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import { historyPage } from '../../src/picture/history-page.ts'
import { pageScript } from '../../src/picture/page-script.ts'
import { brokenHistory, linearizableHistory } from '../generate/linearizable-history.ts'
import { anomalousHistory } from '../generate/planted-anomaly.ts'
import { randomFrom } from '../generate/random.ts'
import { Browser, isSkipped } from './browser.ts'

const DESKTOP = { width: 1400, height: 900 }
const PHONE = { width: 420, height: 800 }
const EVIL = '</script><img src=x onerror=alert(1)>\u2028<!--\ud800"\''

/** How much of the finding is visible, how many operations were drawn, and which are shown. */
const SEEN =
  '({ ...document.querySelector("canvas").dataset, filter: picture.view.filter, texts: document.body.innerText })'
interface Seen {
  readonly finding: 'none' | 'visible' | 'partly' | 'hidden'
  readonly drawn: string
  readonly filter: unknown
  readonly texts: string
}

function registerPage(operations: number): string {
  const history = brokenHistory(randomFrom(3), { model: 'register', operations, processes: 8, keys: 5 }, 'stale-read')
  const result = checkLinearizable(history, MODELS.register)
  expect(result.verdict).toBe('illegal')
  return historyPage(result, history, { model: MODELS.register })
}

test('the policy allows the script that browsers can parse', () => {
  const { text, hash } = pageScript()
  expect(() => new Function(text)).not.toThrow()
  expect(hash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`)
  const page = historyPage({ verdict: 'unknown', reason: '' }, { operations: [] })
  expect(page).toContain(`<script>${text}</script>`)
  expect(page).toContain(`script-src '${hash}'`)
})

describe.skipIf(isSkipped)('in Chromium', () => {
  let browser: Browser
  beforeAll(() => {
    browser = new Browser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  test.for([DESKTOP, PHONE, { ...DESKTOP, dark: true }])(
    'an illegal history of 5,000 operations opens at its window: %o',
    async (viewport) => {
      const page = await browser.open(registerPage(5000), viewport)
      const seen = await page.evaluate<Seen>(SEEN)
      expect(seen.finding).toBe('visible')
      expect(Number(seen.drawn)).toBeLessThan(100)
      expect(seen.texts).toContain('no order explains')
      expect(page.complaints).toEqual([])
    },
  )

  test('of 100,000 operations those around the window are shown', async () => {
    const operations = Array.from({ length: 100_000 }, (_, index) => ({
      process: index % 10,
      input: { f: 'write', value: index },
      output: null,
      outcome: 'ok' as const,
      call: 2 * index,
      return: 2 * index + 19,
    }))
    const window = { from: 0, to: 0, operations: [2, 70_000, 70_001] }
    const page = await browser.open(
      historyPage({ verdict: 'illegal', partition: undefined, window, longest: [], explanation: '' }, { operations }),
      DESKTOP,
    )
    const seen = await page.evaluate<Seen>(SEEN)
    expect(seen).toMatchObject({ finding: 'visible', filter: 'wrong' })
    expect(seen.texts).toContain('100,000 operations; 20,001 of them are shown here, those around what is wrong')
    expect(page.complaints).toEqual([])
  })

  test('keys, the wheel and the search move through the history', async () => {
    const page = await browser.open(registerPage(300), DESKTOP)
    await page.press('0')
    const whole = await page.evaluate<number>('picture.view.scale')
    expect(whole).toBeLessThan(5)
    await page.press('w')
    expect((await page.evaluate<Seen>(SEEN)).finding).toBe('visible')
    await page.press('.')
    expect(await page.evaluate('detail.textContent')).toMatch(/^process .*(read|write)\(/)
    const before = await page.evaluate<number>('picture.view.scale')
    await page.wheel(700, 600, -200)
    expect(await page.evaluate<number>('picture.view.scale')).toBeGreaterThan(before)
    await page.press('/')
    for (const key of 'write(2') await page.press(key)
    await page.press('Enter')
    expect(await page.evaluate('detail.textContent')).toContain('write(2')
    expect(await page.evaluate('count.textContent')).toMatch(/^1 of \d+$/)
    await page.evaluate(`filter.value = '1', filter.dispatchEvent(new Event('change'))`)
    expect(
      await page.evaluate('picture.view.shown.every((index) => picture.data.operations[index].keys[0] === 1)'),
    ).toBe(true)
    expect(page.complaints).toEqual([])
  })

  test('an anomaly has its cycle as a graph, whose nodes lead to their transactions', async () => {
    const workload = 'list-append'
    const transactions = anomalousHistory(randomFrom(4), 'G-nonadjacent', { workload, transactions: 40 })
    const result = checkIsolation(transactions, { workload, consistency: 'snapshot-isolation' })
    const page = await browser.open(historyPage(result, { operations: transactions }), DESKTOP)
    expect((await page.evaluate<Seen>(SEEN)).finding).toBe('visible')
    expect(await page.evaluate('document.querySelectorAll(".cycle .node").length')).toBe(4)
    await page.evaluate('document.querySelector(".cycle .node").onclick()')
    expect(await page.evaluate('detail.textContent')).toContain('part of what is wrong')
    expect(page.complaints).toEqual([])
  })

  test('hostile text stays text', async () => {
    const operations = [0, 1].map((process) => ({
      process: `${EVIL}${process}`,
      input: { f: 'write', key: EVIL, value: EVIL },
      output: EVIL,
      outcome: 'ok' as const,
      call: process,
      return: process + 1,
    }))
    const partition = EVIL
    const window = { from: 0, to: 2, operations: [0, 1] }
    const result = { verdict: 'illegal' as const, partition, window, longest: [[0]], explanation: EVIL }
    const page = await browser.open(historyPage(result, { operations }, { title: EVIL }), PHONE)
    expect(await page.evaluate('document.images.length')).toBe(0)
    expect((await page.evaluate<Seen>(SEEN)).texts).toContain('</script><img src=x onerror=alert(1)>')
    expect(page.complaints).toEqual([])
  })

  test('an order is shown of a legal history, and the reason of an unknown one', async () => {
    const history = linearizableHistory(randomFrom(5), { model: 'queue', operations: 40, unknown: 0.1, failed: 0.1 })
    const legal = await browser.open(historyPage(checkLinearizable(history, MODELS.queue), history), DESKTOP)
    expect(await legal.evaluate<number>('picture.view.at.size')).toBeGreaterThan(20)
    const isInside =
      '(({ view, data }) => [...view.at].every(([index, at]) => at >= view.call[index] && (data.operations[index].outcome || at <= view.end[index])))(picture)'
    expect(await legal.evaluate(isInside)).toBe(true)
    const unknown = await browser.open(historyPage({ verdict: 'unknown', reason: 'out of time' }, history), DESKTOP)
    expect((await unknown.evaluate<Seen>(SEEN)).texts).toContain('out of time')
    expect([...legal.complaints, ...unknown.complaints]).toEqual([])
  })

  test('a page without operations opens', async () => {
    const page = await browser.open(historyPage({ verdict: 'ok', linearizations: [] }, { operations: [] }), PHONE)
    expect(page.complaints).toEqual([])
  })
})
