/**
 * Bodies that never settle, of many kinds: an explained execution names each wait from the body on, and what made
 * the promise that nothing settles. The programs say in comments what is right.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { PendingWait } from '../../src/contract/pending-wait.ts'
import { DEFAULT_PLAN } from '../../src/contract/plan.ts'
import { startWorker } from '../../src/process/worker.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-waits-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const library = join(root, 'node_modules', 'leaky')
cpSync(resolve(import.meta.dirname, 'fixtures/deadlocks'), root, { recursive: true })
mkdirSync(library, { recursive: true })
writeFileSync(join(library, 'package.json'), '{ "name": "leaky", "main": "index.js" }')
writeFileSync(
  join(library, 'index.js'),
  `exports.createPool = (size) => ({
    connect: () => size-- > 0 ? Promise.resolve({}) : new Promise((resolve) => {})
  })`,
)

for (const file of ['promises.fuzz.ts', 'node.fuzz.ts']) {
  const [head, ...programs] = readFileSync(join(root, file), 'utf8').split(/^(?=fuzz\()/m)
  let line = head!.split('\n').length
  const sections = programs.map((text) => {
    const first = line
    line += text.split('\n').length - 1
    return { name: /^fuzz\(\s*'([^']*)'/.exec(text)![1]!, expected: expectedIn(text, first) }
  })
  describe(file, async () => {
    const worker = startWorker({ file: join(root, file), root, aliases: [] })
    afterAll(() => worker.close())
    const properties = await worker.list()
    it.each(sections)('$name', async ({ name, expected }) => {
      const property = properties.find((each) => each.name === name)!
      const { result } = await worker.explain(property, DEFAULT_PLAN)
      expect(result.failure).toMatchObject({
        kind: name === 'timer that goes on' ? 'no progress' : 'deadlock',
        frames: [],
      })
      expect(told(result.failure!.waits ?? [], file)).toEqual(expected)
    })
  })
}

/** What comments expect: `line 5: await`. A comment on a line of its own is about the line before. */
function expectedIn(text: string, first: number): string[] {
  const marks = text.split('\n').flatMap((line, at) => {
    const [, code = '', comment] = /^(.*) \/\/ (\d .*)$/.exec(line) ?? []
    const number = first + (code.trim() === '' ? at - 1 : at)
    return (comment?.split('; ') ?? []).map((mark) => {
      const [, order, what] = /^(\d+) (.*)$/.exec(mark)!
      return { order: Number(order), text: `line ${number}: ${what}` }
    })
  })
  return marks.sort((a, b) => a.order - b.order).map((mark) => mark.text)
}

function told(waits: readonly PendingWait[], file: string): string[] {
  return waits.flatMap(({ how, by, frames, members, isLost, holder, on }) => {
    const what = how === 'made' && by ? by : how
    const which = members && members.count > 0 ? ` [${members.pending}] of ${members.count}` : ''
    const own = frames.find((frame) => frame.file === file)
    const held = holder === undefined ? '' : `, held by ${holder}`
    return [`line ${own?.line}: ${what}${which}${isLost ? ', lost' : ''}${held}`, ...told(on, file)]
  })
}
