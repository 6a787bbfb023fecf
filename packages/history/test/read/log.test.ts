/** The text log of Jepsen, as versions of it and of the loggers write it. */
import { expect, test } from 'vitest'
import { readingFor } from '../../src/models/inputs.ts'
import { parseHistory } from '../../src/read/read-history.ts'

const LINES = [
  'INFO  jepsen.util - 0⇥:invoke⇥:cas⇥[1 2]',
  'INFO  jepsen.util - 12⇥:invoke⇥:read⇥nil',
  'INFO  jepsen.util - 0⇥:fail⇥:cas⇥[1 2]',
  'INFO  jepsen.util - :nemesis⇥:info⇥:start⇥"cut off #{:n1 :n2}"',
  'INFO  jepsen.util - 12⇥:ok⇥:read⇥3',
  'INFO  jepsen.util - 3⇥:invoke⇥:write⇥3',
  'INFO  jepsen.util - 3⇥:info⇥:write⇥:timed-out',
]
const operations = (lines: readonly string[]) => parseHistory(lines.join('\n'), readingFor('cas-register')).operations

const expected = [
  { process: 0, input: { f: 'cas', from: 1, to: 2, key: undefined }, outcome: 'fail', line: 1, returnLine: 3 },
  { process: 12, input: { f: 'read', key: undefined }, output: 3, outcome: 'ok', line: 2, returnLine: 5 },
  { process: 3, input: { f: 'write', value: 3, key: undefined }, outcome: 'unknown', line: 6, returnLine: 7 },
]

test.for([
  ['tabs', (line: string) => line.replaceAll('⇥', '\t')],
  ['spaces, as some published logs', (line: string) => line.replaceAll('⇥', '   ')],
  ['single spaces', (line: string) => line.replaceAll('⇥', ' ')],
  ['tabs and CRLF', (line: string) => `${line.replaceAll('⇥', '\t')}\r`],
  ['spaces and CRLF', (line: string) => `${line.replaceAll('⇥', '  ')}\r`],
  ['no logger, as in history.txt', (line: string) => line.replaceAll('⇥', '\t').replace(/.* - /, '')],
  ['no logger, and spaces', (line: string) => line.replaceAll('⇥', ' ').replace(/.* - /, '')],
  [
    'a logger that writes the time and the thread',
    (line: string) =>
      line
        .replaceAll('⇥', '\t')
        .replace('INFO  jepsen.util - ', 'INFO [2020-05-01 10:00:00,1] jepsen worker 4 - jepsen.util '),
  ],
] as const)('fields are separated by %s', ([, written]) =>
  expect(operations(LINES.map(written))).toMatchObject(expected),
)

test('lines that only look like events are passed over', () => {
  const others = [
    'INFO  jepsen.core - Worker 3 got :ok :read 5 from n1',
    'INFO  jepsen.core - 5 nodes up',
    'WARN  jepsen.core - Process 3 :invoke d',
  ]
  expect(operations([...others, ...LINES].map((line) => line.replaceAll('⇥', ' ')))).toHaveLength(expected.length)
})
