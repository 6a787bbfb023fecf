import { describe, expect, test } from 'vitest'
import { readTrace } from '../src/follow/trace-file.ts'

const read = (text: string) => readTrace('run.ndjson', text)

describe('a trace file', () => {
  test('has an entry on each line, and empty lines between', () => {
    expect(read('{"action":"A"}\n\n{"action":"B"}\r\n')).toEqual([
      { line: 1, data: { action: 'A' } },
      { line: 3, data: { action: 'B' } },
    ])
  })

  test('or is one array, whose items know their lines', () => {
    expect(read('[\n  {"a": "],{\\""},\n  {"b": [1,\n  2]}, {"c": {}}\n]\n')).toEqual([
      { line: 2, data: { a: '],{"' } },
      { line: 3, data: { b: [1, 2] } },
      { line: 4, data: { c: {} } },
    ])
  })

  test('has whole numbers of more than 32 bits as their texts, as module Json has them', () => {
    const [entry] = read(
      '{"id": 10276657743932975437, "next": 2147483648, "last": 2147483647, "least": -2147483648, "time": 1712329729.6024537, "far": 1e25, "ns": [-1712329729602453700]}',
    )
    expect(entry!.data).toEqual({
      id: '10276657743932975437',
      next: '2147483648',
      last: 2147483647,
      least: -2147483648,
      time: 1712329729.6024537,
      far: '1e25',
      ns: ['-1712329729602453700'],
    })
  })

  test('may be nested, and have brackets in its texts', () => {
    const nested = `{"a":${'['.repeat(400)}${']'.repeat(400)},"b":"\\"${'['.repeat(1000)}"}`
    expect(read(nested)).toHaveLength(1)
  })

  test('may have the ends of lines of any system', () => {
    const lines = ['{"a":1}', '{"a":2}', '']
    for (const end of ['\n', '\r\n', '\r']) expect(read(lines.join(end)).map(({ line }) => line)).toEqual([1, 2])
  })

  test.each([
    ['', 'run.ndjson: the trace is empty'],
    ['[]', 'run.ndjson: the trace is empty'],
    ['{"a":1}\n{"b":\n{"c":1}\n', 'run.ndjson:2: not valid JSON: '],
    ['{"a":1}\n{"b":"lon', 'run.ndjson:2: the last line is incomplete: the file ends in the middle of {"b":"lon:'],
    ['{"a":1}\n17\n', 'run.ndjson:2: an entry must be an object, as in {"action": "Send"}, found 17'],
    ['{"a":1}\n[1]\n', 'run.ndjson:2: an entry must be an object'],
    [
      `{"a":1}\n{"b":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`,
      'run.ndjson:2: nested deeper than 500 arrays and objects',
    ],
    ['[{"a":1},\n', 'run.ndjson:2: expected `]` at the end of the array'],
    ['[{"a":1}]\n{"b":1}', 'run.ndjson:2: expected the end of the file after the array, found {"b":1}'],
    ['[{"a":1},,{}]', 'run.ndjson:1: expected an item before the comma'],
    ['[{"a":1}, {"b":tru}]', 'run.ndjson:1: not valid JSON: '],
  ])('%.80j is refused', (text, problem) => {
    expect(() => read(text)).toThrow(problem)
  })
})
