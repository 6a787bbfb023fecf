import { parse } from 'acorn'
import MagicString from 'magic-string'
import { afterEach, expect, test } from 'vitest'
import { giveWayIn, rewriteWaits } from '../../src/loader/blocking-waits.ts'

function rewritten(source: string): string {
  const text = new MagicString(source)
  rewriteWaits(parse(source, { ecmaVersion: 'latest' }), text)
  return text.toString()
}

const LOOP = `let n = 0
function loop(cells) { while (n < 2) { log(Atomics.wait(cells, 0, n)); n++ } return n }
`
const run = (source: string, log: (value: unknown) => void) => new Function('log', rewritten(LOOP + source))(log)

afterEach(() => giveWayIn((wait) => Atomics.wait(...wait)))

test('a loop that waits last in an async function is suspended, and goes on with the result', async () => {
  const resumes: ((result: string) => void)[] = []
  giveWayIn((_, resume) => void resumes.push(resume))
  const seen: unknown[] = []
  run(
    'async function work() { const result = loop([]); if (result?.then) await result }; work().then(() => log("end")); log("on")',
    (value) => seen.push(value),
  )
  expect(seen).toEqual(['on'])
  resumes[0]!('ok')
  expect(seen).toEqual(['on', 'ok'])
  await Promise.resolve()
  resumes[1]!('timed-out')
  await new Promise(setImmediate)
  expect(seen).toEqual(['on', 'ok', 'timed-out', 'end'])
})

test('a wait that need not give way adds no turn', () => {
  giveWayIn(() => 'not-equal')
  const seen: unknown[] = []
  run('(async () => { loop([]) })(); log("after")', (value) => seen.push(value))
  expect(seen).toEqual(['not-equal', 'not-equal', 'after'])
})

test.each([
  ['it is called by a function that is not async', 'function work() { loop([]) }'],
  ['something happens after it', 'async function work() { loop([]); log(1) }'],
  ['it is called in a loop', 'async function work() { for (;;) loop([]) }'],
  ['it is passed on', 'async function work() { loop([]) } run(loop)'],
  ['nobody calls it', ''],
])('a function stays as it is if %s', (_, source) => {
  expect(rewritten(LOOP + source)).toBe(LOOP + source)
})

test('in code without semicolons, what begins a statement stays apart from the statement before it', async () => {
  giveWayIn(() => 'ok')
  const seen: unknown[] = []
  const source = `function once(cells) {
    const before = log
    Atomics.wait(cells, 0, 0)
    if (before) Atomics.wait(cells, 0, 1)
    log('waited')
  }
  async function work() {
    const before = log
    once([])
  }
  work()`
  new Function('log', rewritten(source))((value: unknown) => seen.push(value))
  expect(seen).toEqual(['waited'])
})

test('no line moves', () => {
  const source = `${LOOP}async function work() {\n  loop([])\n}`
  expect(rewritten(source).split('\n')).toHaveLength(source.split('\n').length)
})
