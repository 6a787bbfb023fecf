/**
 * Compares the --json output of two runs: for every row that is a function of its seeds, `found`
 * and `medianRuns` must be equal. All other fields (times, rates) are ignored. Exits with 1
 * on a difference, or on a row that only one file has.
 */
import { readFileSync } from 'node:fs'
import { type Suite, UsageError } from './suite.ts'

/** Techniques whose executions depend on the real loop. */
const ON_STOCK_NODE: readonly unknown[] = ['stress', 'fast-check']

/** The fields that identify a row. */
const KEY = ['suite', 'subject', 'variant', 'strategy', 'm', 'n', 'guide', 'policy', 'trials', 'executions'] as const

export type Row = Readonly<Record<string, unknown>>

export interface Comparison {
  /** One for each row: its key, then both results. */
  readonly lines: readonly string[]
  readonly compared: number
  readonly differences: number
}

export const suite: Suite = {
  summary: 'compare two --json outputs row by row; exits with 1 on a difference',
  options: [],
  positionals: ['A.jsonl', 'B.jsonl'],
  async run(args) {
    const [before, after] = filesOf(args).map((path) => rowsOf(path, read(path)))
    const { lines, compared, differences } = compare(before!, after!)
    for (const line of lines) console.log(line)
    console.log(`${compared} rows compared, ${differences} different`)
    if (compared === 0) throw new UsageError('no row of the two files is a function of its seeds')
    if (differences > 0) process.exitCode = 1
  },
}

export function compare(before: readonly Row[], after: readonly Row[]): Comparison {
  const [from, to] = [byKey(before), byKey(after)]
  const lines: string[] = []
  let compared = 0
  let differences = 0
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [a, b] = [from.get(key), to.get(key)]
    const uncertain = [a, b].map((row) => (row === undefined ? undefined : reasonOf(row))).find(Boolean)
    if (uncertain !== undefined) {
      lines.push(`${key}: not compared (${uncertain})`)
      continue
    }
    compared++
    const isSame = a !== undefined && b !== undefined && a.found === b.found && a.medianRuns === b.medianRuns
    if (!isSame) differences++
    lines.push(isSame ? `${key}: ${resultOf(a)}` : `${key}: DIFFERENT: ${resultOf(a)} -> ${resultOf(b)}`)
  }
  return { lines, compared, differences }
}

/** Why a row is not a function of its seeds; undefined if it is. */
function reasonOf({ strategy, outOfTime, skipped }: Row): string | undefined {
  if (skipped !== undefined) return 'skipped'
  if (ON_STOCK_NODE.includes(strategy)) return 'runs on the real loop'
  return typeof outOfTime === 'number' && outOfTime > 0 ? `${outOfTime} trials ended at the time limit` : undefined
}

/** @throws UsageError if two rows have the same key */
function byKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const found = new Map<string, Row>()
  for (const row of rows) {
    if (row.found === undefined || row.medianRuns === undefined) continue
    const fields = KEY.filter((field) => row[field] !== undefined).map((field) =>
      typeof row[field] === 'number' ? `${field} ${row[field]}` : String(row[field]),
    )
    const key = fields.join(', ')
    if (found.has(key)) throw new UsageError(`a file has two rows with the same key: ${key}`)
    found.set(key, row)
  }
  return found
}

function resultOf(row: Row | undefined): string {
  return row === undefined ? 'no row' : `found ${row.found}, medianRuns ${row.medianRuns}`
}

function filesOf(args: readonly string[]): readonly string[] {
  const unknown = args.find((arg) => arg.startsWith('-'))
  if (unknown !== undefined) throw new UsageError(`unknown option: ${unknown}`)
  if (args.length !== 2) throw new UsageError(`expected two files of JSON lines: got ${args.length}`)
  return args
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

function rowsOf(path: string, text: string): readonly Row[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as Row]
    } catch {
      throw new UsageError(`not a line of JSON: ${path}:${at + 1}`)
    }
  })
}
