/**
 * The adapters find what their frameworks find: an adapter that lets everything pass would prove
 * nothing.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PLAN } from '../../packages/norn/src/contract/plan.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import { ROOT } from '../../packages/norn/test/world/workers.ts'
import { aliasesFor, SUITE } from '../fidelity/no-false-alarms/aliases.ts'
import { failuresOnStock } from '../fidelity/no-false-alarms/stock.ts'
import { WHOLE_FILE } from '../fidelity/no-false-alarms/whole-file.ts'

describe.each(['tape.cjs', 'tap.cjs', 'ava.mjs', 'mocha.cjs', 'node-test.mjs'])('%s', (name) => {
  const aliases = aliasesFor(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)))

  test('what passes and what fails is as the titles say, in the world and on stock Node', async () => {
    const worker = new Worker({ file: SUITE, root: ROOT, aliases })
    try {
      const seen: Record<string, string> = {}
      const ran: string[] = []
      for (const property of await worker.list()) {
        if (property.name === WHOLE_FILE) continue
        const title = property.name.split(' › ').at(-1)!
        if (property.mode === 'skip') seen[title] = 'skipped'
        else {
          seen[title] = (await worker.execute(property, DEFAULT_PLAN)).verdict
          ran.push(property.name)
        }
      }
      const stock = await failuresOnStock(aliases, ran, { testMs: 500, tries: 1 })
      expect(ran.length).toBeGreaterThan(5)
      for (const [title, outcome] of Object.entries(seen)) {
        const expected = title.startsWith('passes:') ? 'passed' : title.startsWith('fails:') ? 'failed' : 'skipped'
        expect(`${title} ${outcome}`).toBe(`${title} ${expected}`)
      }
      expect([...stock.keys()].sort()).toEqual(ran.filter((each) => each.includes('fails:')).sort())
    } finally {
      worker.close()
    }
  })
})
