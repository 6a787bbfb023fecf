/** The data of a report page: the rows of executions, their state, the lines of source, hostile text. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExecutionResult, Frame } from '../../../src/contract/execution.ts'
import type { SavedFailure } from '../../../src/contract/saved-failure.ts'
import type { TraceEvent } from '../../../src/contract/trace.ts'
import { excerptOf } from '../../../src/report/excerpt.ts'
import { BoundedRows } from '../../../src/report/page/bounded-rows.ts'
import { stateAt } from '../../../src/report/page/browser/stepping.ts'
import { clusterExecution } from '../../../src/report/page/cluster-execution.ts'
import type { Step } from '../../../src/report/page/data.ts'
import { reportDocument } from '../../../src/report/page/document.ts'
import { failureData, type Reported } from '../../../src/report/page/failure-data.ts'
import { pageDataOf } from '../../../src/report/page/page-data.ts'
import { programExecution } from '../../../src/report/page/program-execution.ts'
import { SourceTexts } from '../../../src/report/page/source-texts.ts'
import { PLAIN } from '../../../src/report/style.ts'
import { recordSearch } from '../../../src/storage/search-records.ts'
import { entry } from '../event-logs.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-page-'))
})
afterAll(() => rmSync(root, { recursive: true }))

const NO_FAILURE: ExecutionResult = {
  verdict: 'passed',
  ...{ inputChoices: 0, points: 0, chains: 0, durationUs: 0 },
}
const failure = { kind: 'error', errorName: 'Error', message: 'wrong', stack: 'Error: wrong', frames: [] } as const
const FAILED = { ...NO_FAILURE, verdict: 'failed', failure } as const

const SAVED: SavedFailure = {
  ...{ property: 'p', file: 'p.fuzz.ts', identity: 'x', failure, input: undefined, inputText: 'n = 1', aliases: [] },
  choices: { input: [], schedule: [], fault: [], length: 0 },
  traceHash: 'abc',
  found: { seed: 1, execution: 2, strategy: 'random', name: undefined, example: undefined },
  shrunk: true,
  environment: { node: '24.0.0', norn: '0.1.0', commit: undefined, variables: undefined },
}

const frame = (file: string, line: number): Frame => ({ file, line, column: 1, functionName: '' })

/** `0:1 effect unlink a.txt @50 → EEXIST`. */
function event(text: string): TraceEvent {
  const [, label = '', name, kind = '', resource = '', at, outcome = 'ok'] =
    /^(\S+) (\w+) (\w+)(?: ([^@→]\S*))? @(\d+)(?: → (\w+))?$/.exec(text)!
  const chain = label.slice(0, label.lastIndexOf(':'))
  return { event: name as TraceEvent['event'], label, chain, kind, resource, atUs: Number(at), delayUs: 0, outcome }
}

describe('the execution of a program', () => {
  const trace = [
    '0:0 start body @0',
    '0:1 submit write a.txt @0',
    '0:1 effect write a.txt @50',
    '0/1:1 sync unlink b.txt @60 → ENOENT',
    '0:1 callback write a.txt @70',
    '0:1 settled rejected @80',
  ].map(event)
  const origins = new Map([['0:1', { ...frame('a.ts', 3), callers: [frame('b.ts', 1)] }]])
  const sources = () => new SourceTexts(root)
  const drawn = () => programExecution({ trace, notes: [], origins }, FAILED, 'wrong', sources())

  it('has a row for each step, of which routine is marked', () => {
    const { rows } = drawn().execution
    expect(rows.map(({ text, routine = false }) => [text, routine])).toEqual([
      ['the event loop starts', true],
      ['write a.txt is submitted', true],
      ['write a.txt', false],
      ['unlink b.txt → ENOENT', false],
      ['write a.txt calls back', false],
      ['wrong', false],
    ])
    expect(rows[2]!.places).toEqual([
      [0, 3],
      [1, 1],
    ])
    expect(rows.at(-1)).toMatchObject({ isFailure: true, more: [{ text: 'the body fails' }] })
  })

  it('its state is what is under way, and the files that were changed', () => {
    const { execution } = drawn()
    const texts = (row: number) => stateAt(execution, row).map(({ entries }) => entries.map(({ value }) => value))
    expect(texts(1)).toEqual([['write a.txt: submitted'], [], [], []])
    expect(texts(3)).toEqual([['write a.txt: took effect, callback to come'], [], ['write'], []])
    expect(texts(5)).toEqual([[], [], ['write'], []])
  })

  it('its state has what files hold, before and after, where that is known', () => {
    const changes = [
      { at: 2, path: 'a.txt', text: 'one' },
      { at: 3, path: 'a.txt', text: 'two' },
      { at: 4, path: 'a.txt' },
    ]
    const input = { trace, notes: [], origins, fileChanges: changes }
    const { execution } = programExecution(input, FAILED, 'wrong', sources())
    const files = (row: number) => stateAt(execution, row)[2]!
    expect(files(2).entries).toMatchObject([{ name: 'a.txt', value: 'one' }])
    expect(files(3).entries).toMatchObject([{ name: 'a.txt', value: 'two', before: 'one' }])
    expect(files(4)).toMatchObject({ entries: [], gone: [{ name: 'a.txt', value: 'two' }] })
  })

  it('knows the rows of its steps', () => {
    const { rowOf } = drawn()
    expect([rowOf(0), rowOf(4), rowOf(5)]).toEqual([0, 4, 5])
  })

  it('a failure that is not the end of the body has a row of its own', () => {
    const { rows } = programExecution(
      { trace: trace.slice(0, -1), notes: [], origins },
      FAILED,
      'no',
      sources(),
    ).execution
    expect(rows.at(-1)).toEqual({ mark: 'failure', text: 'no', places: [], isFailure: true })
  })
})

describe('the execution of a cluster', () => {
  const log = [
    '-1@0 start a',
    '-1@0 start b',
    '0@1 request a #0 1',
    '0@1 send a>b #0 {"type":"Put"}',
    '1@2 duplicate a>b #0 {"type":"Put"}',
    '2@2 deliver a>b #0 {"type":"Put"}',
    '3@3 crash b',
    '4@3 lost a>b #0 \'down\' {"type":"Put"}',
    '5@4 reply a #0 1',
  ].map(entry)
  const states = [
    [4, 0, 'value', '1'],
    [6, 1, 'value', '2'],
    [7, 1, 'value'],
  ] as const
  const record = { nodes: ['a', 'b'], log, steps: [[3, 'crash b']], states } as const
  const { execution, rowOf } = clusterExecution(record, FAILED, 'wrong', new SourceTexts(root))

  it('has a row for each event, from where it was sent', () => {
    expect(execution.rows.map(({ mark, text, lane, arrow }) => [mark, text, lane, arrow?.sent])).toEqual([
      ['start', 'a starts', 0, undefined],
      ['start', 'b starts', 1, undefined],
      ['request', 'request 0: 1', 0, undefined],
      ['duplicate', '#0 is duplicated', 1, 2],
      ['arrival', '#0 Put', 1, 2],
      ['crash', 'b crashes', 1, undefined],
      ['lost', '#0 Put is lost: b is down', 1, 2],
      ['event', 'replies 1 to request 0', 0, undefined],
      ['failure', 'wrong', undefined, undefined],
    ])
    expect(execution.rows[2]!.sends).toBe('#0')
    expect(execution.rows.map(({ departs = false }) => departs).indexOf(true)).toBe(5)
    expect([rowOf(0), rowOf(3), rowOf(6), rowOf(99)]).toEqual([0, 2, 5, 8])
  })

  it('its state is what is in flight, who waits, and what the nodes hold', () => {
    const at = (row: number) =>
      stateAt(execution, row).flatMap(({ title, entries }) =>
        entries.map(({ name, value }) => `${title}: ${name} ${value}`),
      )
    expect(at(3)).toEqual([
      'Messages in flight: #0 a → b  Put  (2 copies)',
      'Requests without a reply: request 0 a  1',
      'a: value 1',
    ])
    expect(at(4)).toContain('b: value 2')
    expect(at(6)).toEqual(['Requests without a reply: request 0 a  1', 'a: value 1', 'b: ┻ down'])
    expect(at(7)).toEqual(['a: value 1', 'b: ┻ down'])
  })
})

describe('a very long execution', () => {
  it('keeps its beginning and its end, and what the rest changed', () => {
    const rows: Step[] = Array.from({ length: 20 }, (_, index) => ({
      mark: 'effect',
      text: `${index}`,
      ...(index === 19 ? { arrow: { from: 0, sent: 7 } } : {}),
      changes: [[0, 'n', `${index}`]],
    }))
    const bounded = new BoundedRows(rows, [5, 3])
    expect(bounded.rows.map(({ text }) => text)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '12 steps left out',
      '17',
      '18',
      '19',
    ])
    expect(bounded.rows[5]!.changes).toHaveLength(12)
    expect([4, 5, 16, 17, 19].map((row) => bounded.rowOf(row))).toEqual([4, 5, 5, 6, 8])
    expect(bounded.rows.at(-1)!.arrow!.sent).toBe(5)
  })
})

describe('the lines of source', () => {
  it('are those around the places that are named, each once', () => {
    writeFileSync(join(root, 'a.ts'), Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n'))
    const sources = new SourceTexts(root)
    expect([
      sources.placeOf(frame('a.ts', 3)),
      sources.placeOf(frame('a.ts', 50)),
      sources.placeOf(frame('gone.ts', 1)),
    ]).toEqual([
      [0, 3],
      [0, 50],
      [1, 1],
    ])
    const [passages, none] = sources.passages()
    expect(passages!.map(({ first, lines }) => [first, lines.length])).toEqual([
      [1, 9],
      [44, 13],
    ])
    expect(none).toEqual([])
    expect(sources.files).toEqual(['a.ts', 'gone.ts'])
  })

  it('outside of the project are not read, whatever a failure names', () => {
    const project = join(root, 'project')
    mkdirSync(project)
    writeFileSync(join(root, 'secret.ts'), 'secret')
    symlinkSync(join(root, 'secret.ts'), join(project, 'link.ts'))
    const sources = new SourceTexts(project)
    for (const file of ['../secret.ts', join(root, 'secret.ts'), 'link.ts']) sources.placeOf(frame(file, 1))
    expect(sources.passages()).toEqual([[], [], []])
    for (const place of [0, 1, 2]) expect(sources.pathOf([place, 1])).toBeUndefined()
  })

  it('of hidden files are not read, by their own name or by a link', () => {
    const project = join(root, 'hidden')
    mkdirSync(join(project, '.git'), { recursive: true })
    for (const file of ['.env', join('.git', 'config')]) writeFileSync(join(project, file), 'secret')
    symlinkSync(join(project, '.env'), join(project, 'env.ts'))
    const sources = new SourceTexts(project)
    const files = ['.env', '.git/config', 'env.ts', 'a/../.env', './.env']
    for (const file of files) sources.placeOf(frame(file, 1))
    expect(sources.passages()).toEqual(files.map(() => []))
    for (const file of files) {
      const result = { ...FAILED, failure: { ...failure, frames: [frame(file, 1)] } }
      expect(excerptOf(result, project, PLAIN)).toEqual([])
    }
  })

  it('have a path, for an editor, where the page names the file and the line', () => {
    writeFileSync(join(root, 'a.ts'), 'line 1')
    const sources = new SourceTexts(root)
    sources.placeOf(frame('a.ts', 1))
    sources.placeOf(frame('gone.ts', 1))
    expect(sources.pathOf([0, 1])).toBe(join(realpathSync(root), 'a.ts'))
    for (const place of [
      [0, 2],
      [1, 1],
      [2, 1],
      [-1, 1],
      [Number.NaN, 1],
    ] as const)
      expect(sources.pathOf(place)).toBeUndefined()
  })
})

describe('the searches', () => {
  it('come from the latest to the first, whatever their properties', () => {
    const search = { verdict: 'passed', lines: [], doubts: [], curve: [], counted: '' } as const
    const days = ['02', '04', '03']
    for (const [at, property] of ['a', 'a', 'b'].entries())
      recordSearch(root, 'p.fuzz.ts', property, { ...search, endedAt: `2026-01-${days[at]}T00:00:00.000Z` })
    const { campaigns } = pageDataOf({ root, reported: [], unreadable: [] })
    expect(campaigns.map(({ property, endedAt }) => `${property} ${endedAt}`)).toEqual([
      'a 2026-01-04 00:00:00 UTC',
      'b 2026-01-03 00:00:00 UTC',
      'a 2026-01-02 00:00:00 UTC',
    ])
  })
})

describe('a failure', () => {
  const reported: Reported = { path: '.norn/failures/p-1.json', saved: SAVED, replay: 'not replayed', replayed: 'No.' }

  it('that was not replayed is shown as it was saved', () => {
    const data = failureData(reported, new SourceTexts(root))
    expect(data).toMatchObject({
      headline: 'wrong',
      input: 'n = 1',
      inputTitle: 'Smallest input',
      replay: 'not replayed',
    })
    expect([data.execution, data.passing]).toEqual([undefined, undefined])
  })

  it('quotes no file that only the saved failure names', () => {
    writeFileSync(join(root, 'config.ts'), 'secret')
    const named = { ...failure, frames: [frame('config.ts', 1)] }
    const saved = { ...SAVED, failure: named }
    const quoted = (more: Partial<Reported>) => {
      const sources = new SourceTexts(root)
      const data = failureData({ ...reported, saved, ...more }, sources)
      expect(data.places).toEqual([[0, 1]])
      return sources.passages()[0]!.flatMap(({ lines }) => lines)
    }
    expect(quoted({})).toEqual([])
    expect(quoted({ result: NO_FAILURE })).toEqual([])
    expect(quoted({ result: { ...FAILED, failure: { ...named } } })).toEqual(['secret'])
  })

  it('shows in its page what cannot be seen', () => {
    const hidden = 'a\u202eb\u2066c\u200bd'
    const saved = {
      ...SAVED,
      property: hidden,
      inputText: hidden,
      failure: { ...failure, message: hidden, stack: hidden },
    }
    const html = reportDocument(pageDataOf({ root, reported: [{ ...reported, saved }], unreadable: [hidden] }), {
      text: 'script()',
      hash: 'sha256-x',
    })
    expect(html).not.toMatch(/[\u202e\u2066\u200b]/)
    expect(html).toContain('a\\\\u202eb\\\\u2066c\\\\u200bd')
  })

  it('says why there is no passing execution', () => {
    const cluster = { nodes: ['a'], log: [entry('-1@0 start a')], steps: [] }
    const run = (result: ExecutionResult) => failureData({ ...reported, result }, new SourceTexts(root)).noPassing
    expect(run({ ...FAILED, cluster })).toContain('fails under the default schedule')
    expect(run({ ...NO_FAILURE, cluster })).toContain('passes')
  })

  it('a message that goes on after a colon is the headline as a whole', () => {
    const message = 'Expected values to be equal:\n+ actual - expected\n\n+ 1\n- 2'
    const saved = { ...SAVED, failure: { ...failure, message } }
    expect(failureData({ ...reported, saved }, new SourceTexts(root)).headline).toBe(
      'Expected values to be equal: + actual - expected + 1 - 2',
    )
  })

  it('text of a program never becomes markup', () => {
    const evil = '</script><img src=x onerror=alert(1)><!--\ud800'
    const saved = { ...SAVED, property: evil, inputText: evil, failure: { ...failure, message: evil, stack: evil } }
    const data = pageDataOf({ root, reported: [{ ...reported, saved }], unreadable: [evil] })
    const html = reportDocument(data, { text: 'script()', hash: 'sha256-x' })
    expect(html).not.toMatch(/<img|<!--/)
    expect(html.match(/<\/script>/g)).toHaveLength(2)
    expect(html).toContain("default-src 'none'; script-src 'sha256-x'")
  })
})
