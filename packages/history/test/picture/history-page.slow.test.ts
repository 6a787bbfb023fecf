/** Pages open in headless Chromium without an error, and show what is wrong. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { brokenHistory } from '../../src/generate/linearizable-history.ts'
import { anomalousHistory } from '../../src/generate/planted-anomaly.ts'
import { randomFrom } from '../../src/generate/random.ts'
import { checkIsolation } from '../../src/isolation/check.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import { historyPage } from '../../src/picture/history-page.ts'

const { CHROMIUM = 'chromium', CI } = process.env
const isMissing = spawnSync(CHROMIUM, ['--version']).error !== undefined
if (isMissing) console.warn(`skipped: there is no ${CHROMIUM}; \`node scripts/try-browser.ts --install\` installs it`)

/** In CI its absence is a failure. */
const browserTest = test.skipIf(isMissing && CI === undefined)

function open(page: string): { readonly dom: string; readonly messages: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'norn-history-page-'))
  try {
    const file = join(folder, 'page.html')
    writeFileSync(file, page)
    const { stdout, stderr } = spawnSync(
      CHROMIUM,
      [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
        ...['--window-size=1300,800', '--virtual-time-budget=5000', '--enable-logging=stderr'],
        ...[`--user-data-dir=${join(folder, 'profile')}`, '--dump-dom', pathToFileURL(file).href],
      ],
      { encoding: 'utf8' },
    )
    return { dom: stdout, messages: stderr.split('\n').filter((line) => line.includes(':CONSOLE')) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

browserTest('an illegal history of 5,000 operations opens at its window', () => {
  const history = brokenHistory(randomFrom(3), { model: 'register', operations: 5000, processes: 8 }, 'stale-read')
  const result = checkLinearizable(history, MODELS.register)
  expect(result.verdict).toBe('illegal')
  const { dom, messages } = open(historyPage(result, history, { model: MODELS.register, title: '</script><b>' }))
  expect(messages).toEqual([])
  expect(dom).toContain('data-focus="visible"')
  expect(Number(/data-drawn="(\d+)"/.exec(dom)![1])).toBeLessThan(500)
})

browserTest('an anomaly has its cycle as a graph', () => {
  const workload = 'list-append'
  const transactions = anomalousHistory(randomFrom(4), 'G-nonadjacent', { workload, transactions: 40 })
  const result = checkIsolation(transactions, { workload, consistency: 'snapshot-isolation' })
  const { dom, messages } = open(historyPage(result, { operations: transactions }))
  expect(messages).toEqual([])
  expect(dom).toContain('data-focus="visible"')
  expect(dom.match(/class="node"/g)).toHaveLength(4)
})
