/**
 * Wrong arguments: the functions of Node answer them in the world as on stock Node.
 *
 * Every function of the modules that norn replaces parts of (subjects.ts) is called with values of every kind in
 * several places of its arguments (calls.ts). An error has to have the same name, code and message, and a result to
 * be of the same kind. Calls that norn refuses are counted, and compared no further. Exits with 1 if an answer
 * differs that accepted.ts does not name, or an entry there no longer differs.
 */
import { resolve } from 'node:path'
import { DEFAULT_PLAN, type ListedProperty, Worker } from '../../engine.ts'
import type { FilteredOptions } from '../../suite.ts'
import { ACCEPTED } from './accepted.ts'
import { type Answers, CALLS_OF_SHAPE, shapesOf } from './calls.ts'
import { stockAnswers } from './stock.ts'

export interface Row {
  readonly suite: 'arguments'
  readonly function: string
  readonly calls: number
  /** Calls within executions that norn made inconclusive. */
  readonly refused: number
  /** Calls that accepted.ts has. */
  readonly accepted: readonly string[]
  readonly differ: Readonly<Record<string, { readonly stock: string; readonly norn: string }>>
}

const ROOT = resolve(import.meta.dirname, '../../..')
const FILE = resolve(import.meta.dirname, 'calls.fuzz.ts')

/** Without delays, and with what the body prints. */
const PLAN = { ...DEFAULT_PLAN, detailed: true }

/** The functions of a smoke run. */
const SMOKE = 'fs.f'

export async function run({ smoke, json, only }: FilteredOptions): Promise<void> {
  process.env.NORN_ARGUMENTS_ONLY = only ?? (smoke ? SMOKE : '')
  const worker = new Worker({ file: FILE, root: ROOT, aliases: [] })
  try {
    const properties = new Map((await worker.list()).map((property) => [property.name, property]))
    const shapes = [...properties.keys()].filter((name) => name.includes(' '))
    const stock = await stockAnswers(shapes)
    const rows: Row[] = []
    for (const name of properties.keys()) {
      if (name.includes(' ')) continue
      const own = shapes.filter((shape) => shape.startsWith(`${name} `) && stock.answers.has(shape))
      rows.push(compared(name, own, stock.answers, await nornAnswers(worker, properties, name, own)))
    }
    report(rows, stock.lost, json)
    if (only === undefined && !smoke) checkAccepted(rows)
  } finally {
    worker.close()
  }
}

type Named = ReadonlyMap<string, Answers>

/** The answers by shape; those of inconclusive executions are missing. */
async function nornAnswers(
  worker: Worker,
  properties: ReadonlyMap<string, ListedProperty>,
  name: string,
  shapes: readonly string[],
): Promise<Named> {
  const run = async (property: string) => {
    const { verdict, output = '', failure } = await worker.execute(properties.get(property)!, PLAN)
    if (verdict === 'void') return undefined
    const lines = output.split('\n').filter((line) => line.startsWith('{"'))
    return { answers: lines.map((line) => JSON.parse(line) as Answers), ended: `${verdict}: ${failure?.message}` }
  }
  const whole = await run(name)
  const all = shapesOf({ name })
  if (whole?.answers.length === all.length)
    return new Map(all.map((shape, at) => [`${name} ${shape}`, whole.answers[at]!]))
  const found = new Map<string, Answers>()
  for (const shape of shapes) {
    const one = await run(shape)
    if (one !== undefined) found.set(shape, one.answers[0] ?? { [shape]: one.ended })
  }
  return found
}

function compared(name: string, shapes: readonly string[], stock: Named, norn: Named): Row {
  const differ: Record<string, { stock: string; norn: string }> = {}
  const accepted: string[] = []
  for (const shape of shapes) {
    const shown = norn.get(shape)
    if (shown === undefined) continue
    for (const [call, expected] of Object.entries(stock.get(shape)!)) {
      const answer = shown[call] ?? Object.values(shown)[0]!
      if (comparable(name, answer) === comparable(name, expected)) continue
      if (ACCEPTED[`${name}${call}`] !== undefined) accepted.push(`${name}${call}`)
      else differ[`${name}${call}`] = { stock: expected, norn: answer }
    }
  }
  const refused = shapes.filter((shape) => !norn.has(shape)).length
  return {
    suite: 'arguments',
    function: name,
    calls: (shapes.length - refused) * CALLS_OF_SHAPE,
    refused: refused * CALLS_OF_SHAPE,
    accepted,
    differ,
  }
}

/** What the network of a machine answers is not compared. */
function comparable(name: string, answer: string): string {
  const isLater = /^(is pending|resolves|throws Error (?!ERR_))/.test(answer)
  return name.startsWith('dns') && isLater ? 'asks' : answer
}

function checkAccepted(rows: readonly Row[]): void {
  const unused = Object.keys(ACCEPTED).filter((entry) => !rows.some(({ accepted }) => accepted.includes(entry)))
  if (unused.length === 0) return
  console.error(`accepted, and yet not different: ${unused.join(', ')}`)
  process.exitCode = 1
}

function report(rows: readonly Row[], lost: readonly string[], json: boolean): void {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
  const differ = sum((row) => Object.keys(row.differ).length)
  if (differ > 0) process.exitCode = 1
  if (json) {
    for (const row of rows) console.log(JSON.stringify(row))
    return
  }
  for (const row of rows)
    for (const [call, { stock, norn }] of Object.entries(row.differ))
      console.log(`${call}\n  stock: ${stock}\n  norn:  ${norn}`)
  console.log(
    `${rows.length} functions, ${sum((row) => row.calls)} calls: ${differ} differ, ${sum((row) => row.accepted.length)} accepted; ` +
      `${sum((row) => row.refused)} more calls refused${lost.length === 0 ? '' : `; stock Node died in ${lost.join(', ')}`}`,
  )
}
