import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Ask, LatestSuggestions, Suggestions } from './suggestions.ts'

const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 })

/** The box shows the answer to the last text, whatever the order of the answers. */
const showsLatest = (Box: typeof Suggestions) =>
  fc.asyncProperty(fc.scheduler(), texts, async (scheduler, texts) => {
    const ask: Ask = scheduler.scheduleFunction(async (text: string) => [`about ${text}`])
    const box = new Box(ask)
    const typed = texts.map((text) => box.type(text))
    await scheduler.waitFor(Promise.all(typed))
    assert.deepEqual(box.shown, [`about ${texts.at(-1)}`])
  })

describe('a search box', () => {
  test('that shows what comes last', async () => {
    await fc.assert(showsLatest(Suggestions))
  })

  test('that shows the answer to the latest text', async () => {
    await fc.assert(showsLatest(LatestSuggestions), { verbose: true })
  })
})
