/**
 * `norn report`, and its pages in headless Chromium: every failure is reached by keys, its execution is
 * stepped through, and nothing is asked for or complained of.
 */
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, isSkipped, type OpenPage } from '../../../history/test/picture/browser.ts'
import type { PageData } from '../../src/report/page/data.ts'
import { type Project, project } from './project.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../../..')
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 400, height: 800 }
const MAX_BYTES_EACH = 50 * 1024

const PASSES = "import { fuzz } from 'norn'\nfuzz('passes', {}, () => {})\n"

function example(...names: readonly string[]): Project {
  const here = project({})
  for (const name of names) cpSync(join(REPOSITORY, 'examples', name), join(here.root, name), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(here.root, 'node_modules'))
  return here
}

const dataOf = (html: string): PageData =>
  JSON.parse(/<script id="data" type="application\/json">(.*?)<\/script>/s.exec(html)![1]!)

async function reportOf(here: Project, ...args: string[]): Promise<{ html: string; data: PageData; stdout: string }> {
  const { status, stdout } = await here.call('report', ...args)
  expect(status).toBe(0)
  const html = readFileSync(join(here.root, 'norn-report.html'), 'utf8')
  return { html, data: dataOf(html), stdout }
}

async function keys(page: OpenPage, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.press(name)
}

async function until(page: OpenPage, condition: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () => (${condition} ? done() : setTimeout(look, 10))
    look()
  })`)
}

const SEEN = `({
  title: document.querySelector('main h2').firstChild.textContent.trim(),
  step: document.querySelector('.toolbar output')?.textContent,
  current: document.querySelector('.failing .row.current .text')?.textContent,
  rows: document.querySelectorAll('.failing .row').length,
  diagrams: document.querySelectorAll('.diagram').length,
  source: document.querySelector('.detail .excerpt .here')?.textContent,
  state: document.querySelector('.detail .state')?.textContent,
  width: document.documentElement.scrollWidth,
  address: location.hash,
})`

interface Seen {
  readonly title: string
  readonly step?: string
  readonly current?: string
  readonly rows: number
  readonly diagrams: number
  readonly source?: string
  readonly state?: string
  readonly width: number
  readonly address: string
}

describe('the failures of races and of a cluster', () => {
  let here: Project
  let html: string
  let data: PageData
  let browser: Browser
  beforeAll(async () => {
    if (!isSkipped) browser = new Browser()
    here = example('account', 'http-race', 'two-phase-commit')
    for (const [file, runs] of [
      ['account/account.fuzz.ts', '50'],
      ['http-race/box-office.fuzz.ts', '50'],
      ['two-phase-commit/mistakes.fuzz.ts', '3000'],
    ] as const)
      await here.call('fuzz', file, '--seed', '1', '--runs', runs)
    ;({ html, data } = await reportOf(here))
  })
  afterAll(() => browser?.[Symbol.asyncDispose]())

  test('each replays, and has a passing execution beside it', () => {
    expect(data.failures.map(({ property, replay, passing }) => [property, replay, passing !== undefined])).toEqual([
      ['a coordinator that forgets its decision', 'exact', true],
      ['a sold seat stays sold', 'exact', true],
      ['deposits are never lost', 'exact', true],
      ['participants that lose patience', 'exact', expect.any(Boolean)],
    ])
    for (const { execution, passing } of data.failures) {
      expect(execution!.rows.at(-1)).toMatchObject({ isFailure: true })
      if (passing === undefined) continue
      const [row, other] = passing.parting
      expect(execution!.rows[row]).toBeDefined()
      expect(passing.execution.rows[other]?.text).not.toBe(execution!.rows[row]!.text)
    }
  })

  test('it is one small file that asks for nothing', () => {
    expect(html).not.toMatch(/ (?:src|href)="(?!data:)/)
    expect(html.length).toBeLessThan(MAX_BYTES_EACH * data.failures.length)
  })

  test('a failure that no longer fails is shown as such, as is one whose property is gone', async () => {
    const other = example('account')
    await other.call('fuzz', 'account/account.fuzz.ts', '--seed', '1', '--runs', '50')
    other.edit(
      'account/account.ts',
      'import { readFile,',
      "import { readFileSync, writeFileSync } from 'node:fs'\nimport { readFile,",
    )
    other.edit('account/account.ts', 'await this.balance()', "Number(readFileSync(this.#file, 'utf8'))")
    other.edit('account/account.ts', 'await writeFile(this.#file, String', 'writeFileSync(this.#file, String')
    const fixed = await reportOf(other)
    expect(fixed.data.failures.map(({ replay }) => replay)).toEqual(['passes'])
    expect(fixed.stdout).toContain('No longer fails')
    other.write('account/account.fuzz.ts', PASSES)
    const gone = await reportOf(other)
    expect(gone.data.failures).toMatchObject([{ replay: 'not replayed', headline: expect.stringContaining('1 !== 2') }])
    expect(gone.data.failures[0]!.replayed).toContain("no longer declares the property 'deposits are never lost'")
  })

  test('files can be named, need not be replayed, and are named if they are broken', async () => {
    const [path] = here.failures().filter((each) => each.includes('deposits'))
    const some = await reportOf(here, path!, '--no-replay')
    expect(some.data.failures).toMatchObject([{ property: 'deposits are never lost', replay: 'not replayed' }])
    const broken = example()
    broken.write('.norn/failures/p-00000000.json', '{')
    const { data: told, stdout } = await reportOf(broken)
    expect(told.unreadable).toEqual([expect.stringContaining('p-00000000.json')])
    expect(stdout).toContain('p-00000000.json')
    const { status, stderr } = await broken.call('report', 'nowhere')
    expect([status, stderr]).toEqual([2, 'norn: no such file or folder: nowhere\n'])
  })

  describe.skipIf(isSkipped)('in Chromium', () => {
    test.for([DESKTOP, PHONE, { ...DESKTOP, dark: true }])('every failure is reached by keys: %o', async (viewport) => {
      const page = await browser.open(html, viewport)
      const titles: string[] = []
      for (const _ of data.failures) {
        const seen = await page.evaluate<Seen>(SEEN)
        titles.push(seen.title)
        expect(seen.width).toBeLessThanOrEqual(viewport.width)
        expect(seen.current).not.toBe('')
        await keys(page, 'j')
      }
      expect(titles).toEqual(data.failures.map(({ property }) => property))
      await keys(page, ...data.failures.map(() => 'k'))
      expect((await page.evaluate<Seen>(SEEN)).title).toBe('Searches')
      // Each is a button as well, in the order of the tab key.
      expect(await page.evaluate('document.querySelectorAll(".list .item:not([tabindex])").length')).toBe(
        data.failures.length + 1,
      )
      expect(page.complaints).toEqual([])
    })

    test.each([
      ['name', DESKTOP, true],
      ['do not name', PHONE, false],
    ] as const)('rows %s their lines where there is room: %s', async (_, viewport, isSeen) => {
      const page = await browser.open(html, viewport)
      await keys(page, 'j')
      const where = await page.evaluate<string[]>(
        `[...document.querySelectorAll('#failing .where, .failing .where')]
          .filter((each) => each.offsetWidth > 0).map((each) => each.textContent)`,
      )
      expect(where.some((each) => /^[\w.-]+\.ts:\d+$/.test(each))).toBe(isSeen)
    })

    test('keys and buttons step through the execution', async () => {
      const page = await browser.open(html, DESKTOP)
      await keys(page, 'j', 'Home')
      const first = await page.evaluate<Seen>(SEEN)
      expect(first).toMatchObject({
        title: 'a sold seat stays sold',
        diagrams: 2,
        step: expect.stringMatching(/^1 \//),
      })
      await keys(page, 'ArrowDown', 'ArrowRight', 'ArrowUp')
      const second = await page.evaluate<Seen>(SEEN)
      expect(second.step).toMatch(/^2 \//)
      expect(second.source).toContain('writeFile(')
      await page.evaluate(`document.querySelector('.toolbar button[title^="Step forward"]').click()`)
      await keys(page, 'Shift')
      expect((await page.evaluate<Seen>(SEEN)).step).toMatch(/^3 \//)
      await keys(page, 'n')
      expect((await page.evaluate<Seen>(SEEN)).current).toBe('write seats.json')
      await keys(page, 'End', 'a')
      const all = await page.evaluate<Seen>(SEEN)
      expect(all.current).toContain('Expected values to be strictly equal')
      expect(all.step).toBe(`${data.failures[1]!.execution!.rows.length} / ${data.failures[1]!.execution!.rows.length}`)
      await keys(page, 'c')
      expect((await page.evaluate<Seen>(SEEN)).diagrams).toBe(1)
      expect(page.complaints).toEqual([])
    })

    test('the search narrows the list, and the address keeps it', async () => {
      const page = await browser.open(html, DESKTOP)
      const items = () =>
        page.evaluate<string[]>(`[...document.querySelectorAll('.list section .item b')].map((b) => b.textContent)`)
      expect(await items()).toEqual(data.failures.map(({ property }) => property))
      await keys(page, '/', ...'seat', 'Enter', 'End')
      expect(await items()).toEqual(['a sold seat stays sold'])
      const { title, step } = await page.evaluate<Seen>(SEEN)
      expect([title, step]).toEqual(['a sold seat stays sold', expect.stringMatching(/^(\d+) \/ \1$/)])
      // It follows when it rests.
      await until(page, String.raw`/^#a-sold-seat-stays-sold-\w+\/\d*\?text=seat$/.test(location.hash)`)
      await page.evaluate(`document.querySelector('.count button').click()`)
      await page.evaluate(`location.hash = '#searches?file=account%2Faccount.fuzz.ts'`)
      await until(page, `document.querySelector('.list section .item b')?.textContent === 'deposits are never lost'`)
      expect(await items()).toEqual(['deposits are never lost'])
      expect((await page.evaluate<Seen>(SEEN)).title).toBe('Searches')
      await keys(page, 'j')
      expect((await page.evaluate<Seen>(SEEN)).title).toBe('deposits are never lost')
      expect(page.complaints).toEqual([])
    })

    test('the slider stands at the step, says it, and moves by keys', async () => {
      const page = await browser.open(html, DESKTOP)
      await keys(page, 'j', 'Home')
      const slider = `document.querySelector('.scrubber input')`
      await page.evaluate(`${slider}.focus()`)
      await keys(page, 'ArrowRight', 'PageDown', 'ArrowLeft')
      expect((await page.evaluate<Seen>(SEEN)).step).toMatch(/^11 \//)
      expect(await page.evaluate(`${slider}.value + ' ' + ${slider}.ariaValueText`)).toMatch(
        /^11 11 of \d+, [\d.]+ ms: \S/,
      )
      await page.evaluate(`${slider}.value = 3; ${slider}.dispatchEvent(new Event('input', { bubbles: true }))`)
      await keys(page, 'Shift')
      expect((await page.evaluate<Seen>(SEEN)).step).toMatch(/^3 \//)
    })

    test.each([DESKTOP, { ...PHONE, dark: true }])(
      'Tab reaches every control, and shows where it is: %o',
      async (viewport) => {
        const page = await browser.open(html, viewport)
        await keys(page, 'j')
        const unseen = `(() => {
        const { activeElement: at } = document
        at.dataset.reached = ''
        return at === document.body || getComputedStyle(at).outlineStyle === 'solid' ? '' : at.outerHTML
      })()`
        const left = `[...document.querySelectorAll('button, input, select, summary, [tabindex="0"]')]
        .filter((each) => each.checkVisibility() && each.dataset.reached === undefined).map((each) => each.outerHTML)`
        const { length } = await page.evaluate<string[]>(left)
        expect(length).toBeGreaterThan(15)
        for (let stop = 0; stop <= length; stop++) {
          await keys(page, 'Tab')
          expect(await page.evaluate(unseen)).toBe('')
        }
        expect(await page.evaluate(left)).toEqual([])
      },
    )

    test('every control has a name in words, and arrows scroll what has the focus', async () => {
      const page = await browser.open(html, DESKTOP)
      await keys(page, 'j')
      const nameless = `[...document.querySelectorAll('button, summary')]
        .filter((each) => !/[a-z]{2}/i.test(each.textContent)).map((each) => each.outerHTML)`
      expect(await page.evaluate(nameless)).toEqual([])
      const source = `document.querySelector('.detail section:has(.excerpt)')`
      await page.evaluate(`${source}.style.height = '40px'; ${source}.tabIndex = 0; ${source}.focus()`)
      const { step } = await page.evaluate<Seen>(SEEN)
      await keys(page, 'ArrowDown')
      expect((await page.evaluate<Seen>(SEEN)).step).toBe(step)
      await keys(page, 'k', 'k')
      expect((await page.evaluate<Seen>(SEEN)).title).toBe('Searches')
      expect(
        await page.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', cancelable: true }))`),
      ).toBe(true)
    })

    test('the state of a cluster is that of the step', async () => {
      const page = await browser.open(html, DESKTOP)
      expect((await page.evaluate<Seen>(SEEN)).state).toContain('down')
      await keys(page, 'ArrowUp')
      const { state } = await page.evaluate<Seen>(SEEN)
      expect(state).toContain('committed')
      expect(state).not.toContain('down')
    })

    test('of thousands of steps those in view are in the document', async () => {
      const [failure] = data.failures
      const [row] = failure!.execution!.rows
      const rows = Array.from({ length: 2000 }, (_, index) => ({ ...row!, text: `step ${index}`, sent: undefined }))
      const long: PageData = { ...data, failures: [{ ...failure!, execution: { ...failure!.execution!, rows } }] }
      const json = JSON.stringify(long).replaceAll('<', '\\u003c')
      const page = await browser.open(
        html.replace(/(type="application\/json">).*?(<\/script>)/s, (_, a, b) => a + json + b),
        DESKTOP,
      )
      await keys(page, 'End')
      const last = await page.evaluate<Seen>(SEEN)
      expect([last.step, last.current]).toEqual(['2000 / 2000', 'step 1999'])
      expect(last.rows).toBeLessThan(60)
      await page.wheel(500, 350, -20_000)
      expect((await page.evaluate<Seen>(SEEN)).rows).toBeLessThan(60)
      expect(page.complaints).toEqual([])
    })

    test('on paper every failure is told', async () => {
      const page = await browser.open(html, DESKTOP)
      await page.evaluate('dispatchEvent(new Event("beforeprint"))')
      const texts = await page.evaluate<string>('document.getElementById("print").textContent')
      for (const { property, headline } of data.failures) {
        expect(texts).toContain(property)
        expect(texts).toContain(headline)
      }
      await page.evaluate('dispatchEvent(new Event("afterprint"))')
      expect(await page.evaluate('document.getElementById("print").textContent')).toBe('')
    })

    test('a project without failures says what is not known', async () => {
      const empty = project({ 'p.fuzz.ts': PASSES })
      await empty.call('fuzz', 'p.fuzz.ts', '--runs', '30', '--seed', '1')
      const page = await browser.open((await reportOf(empty)).html, PHONE)
      const seen = await page.evaluate<Seen & { text: string }>(`({ ...${SEEN}, text: document.body.innerText })`)
      expect([seen.title, seen.address]).toEqual(['Searches', '#searches'])
      expect(seen.text).toContain('No saved failures')
      expect(seen.text).toMatch(/✓ passes.*\d+ executions? in .* seed 1/s)
      expect(seen.text).toContain('Coverage by file is not recorded')
      await keys(page, 'j', 'ArrowDown')
      expect(page.complaints).toEqual([])
    })
  })
})
