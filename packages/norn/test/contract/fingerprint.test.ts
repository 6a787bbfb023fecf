import { describe, expect, test } from 'vitest'
import type { FailureReport, Frame } from '../../src/contract/execution.ts'
import { fingerprint, messageShape, shortHash } from '../../src/contract/fingerprint.ts'

const frame = (functionName: string, line: number, more: Partial<Frame> = {}): Frame => ({
  file: 'a.ts',
  line,
  column: 5,
  functionName,
  ...more,
})

const FAILURE: FailureReport = {
  kind: 'error',
  errorName: 'AssertionError',
  message: 'expected 3 to be 4',
  stack: '',
  frames: [frame('check', 10), frame('body', 20), frame('outer', 30)],
}

const same = (more: Partial<FailureReport>) => fingerprint({ ...FAILURE, ...more }) === fingerprint(FAILURE)

test('an option that was renamed keeps the fingerprint of failures saved before', () => {
  const text = (option: string) => `the answer to "request" is longer than 16 bytes (option ${option})`
  expect(messageShape(text('maxLineBytes'))).toBe(messageShape(text('maxLine')))
})

describe('the same failure', () => {
  test.each<[string, Partial<FailureReport>]>([
    ['other numbers', { message: 'expected -17.5e3 to be 0x1f' }],
    ['more lines of message', { message: 'expected 3 to be 4\n\n- actual\n+ expected' }],
    ['another stack text', { stack: 'at somewhere' }],
    ['other columns', { frames: FAILURE.frames.map((f) => ({ ...f, column: 99 })) }],
    ['other frames further out', { frames: [...FAILURE.frames.slice(0, 2), frame('elsewhere', 99)] }],
  ])('%s', (_, more) => {
    expect(same(more)).toBe(true)
  })
})

describe('another failure', () => {
  test.each<[string, Partial<FailureReport>]>([
    ['another kind', { kind: 'deadlock' }],
    ['another error', { errorName: 'TypeError' }],
    ['other words', { message: 'expected 3 to equal 4' }],
    ['another line', { frames: [frame('check', 11), ...FAILURE.frames.slice(1)] }],
    ['another caller', { frames: [FAILURE.frames[0]!, frame('other', 20)] }],
    ['another file', { frames: [frame('check', 10, { file: 'b.ts' }), ...FAILURE.frames.slice(1)] }],
    ['no frames', { frames: [] }],
  ])('%s', (_, more) => {
    expect(same(more)).toBe(false)
  })
})

test.each([
  ["ENOENT: no such file, open '/tmp/norn-x1/a.json'", "ENOENT: no such file, open '…'"],
  ['cannot read /tmp/a/b.json and /home/x/y', 'cannot read /… and /…'],
  ['got "a b" for `c`', 'got "…" for `…`'],
  ['12 of 0xff at 1.5e-7', '# of # at #'],
  ['two holders of one lock: a and B', 'two holders of one lock: # and #'],
  ['', ''],
  ['completions: 1,1,2', 'completions: #'],
  ['lost: 7', 'lost: #'],
  ['lost 1 2 3 of 5', 'lost # of #'],
  ["seen 'a', 'b c'", 'seen #'],
  [`too long: ${'x'.repeat(1000)}`, 'too long: #'],
  ['order: write,read,write', 'order: #'],
  ['expected [ 1, 2, 3 ] to equal []', 'expected [] to equal []'],
  ['got [1n, -2.5, null, true], expected [1]', 'got [], expected []'],
  ['rows: [{"id":1,"tags":["x"]},{"id":2,"tags":[]}] of 3', 'rows: [] of #'],
  ["rows: [ { id: 1, name: 'x' } ]", 'rows: []'],
  ["Map(2) { 'k' => 1, 'l' => 2 } and Set(0) {}", 'Map(#) {} and Set(#) {}'],
  ['lost [\n  0, 1,\n  2, 3\n] of 4\n\nmore', 'lost [] of #'],
  ['unexpected [ here\nand there', 'unexpected [ here'],
  ['[pool] is closed: [ERR_CLOSED]', '[pool] is closed: [ERR_CLOSED]'],
  ['{ state: 1, effects: 2, 3 }', '{ state: #, effects: # }'],
])('the shape of %j is %j', (message, shape) => {
  expect(messageShape(message)).toBe(shape)
})

test.each([
  ["a value that is not an Error was thrown: 'x'", "something that is no Error was thrown: 'x'"],
  ['it rests: still false after 50 ms without faults', 'it rests: not within 50 ms of a calm world'],
  [
    "the message from 'a' to 'b' is not plain data: f is a function",
    "the message from 'a' to 'b' is no plain data: f is a function",
  ],
  [
    '`invariant` returned a promise: it must be synchronous',
    '`invariant` gave a promise: it cannot wait, and must not be async',
  ],
  ["'a' replies to request 3, which was never made", "'a' answers request 3, which nobody has made"],
])('a reworded message keeps its shape: %j, formerly %j', (now, before) => {
  expect(messageShape(now)).toBe(messageShape(before))
})

test('a shape is bounded', () => {
  expect(messageShape('xyz'.repeat(10_000)).length).toBe(200)
})

test('the short name of an identity is 32 bits, and the same on every machine', () => {
  expect(shortHash('')).toBe('811c9dc5')
  expect(shortHash('foobar')).toBe('bf9cf968')
})
