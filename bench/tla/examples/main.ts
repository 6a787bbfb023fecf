/**
 * Norn against the models of tlaplus/Examples whose number of distinct states is known.
 *
 * Each model is explored in a process of its own, within a time limit; those of more than a million
 * states only if `--only` names them. Then every module is parsed, and refused ones are listed with
 * the reason. With --smoke, some of our own models are taken instead (models/counts.json).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTS, MODELS } from '../../../models/counts.ts'
import { type FilteredOptions, UsageError } from '../../suite.ts'
import { assertCollection, examples, modules } from './collection.ts'
import { type Explored, explore } from './explore.ts'
import { HUGE_STATES, type Judgement, judge, type Known, NAMED, TLC } from './known.ts'
import { Parser } from './parser.ts'

interface Subject {
  readonly name: string
  readonly specification: string
  readonly configuration: string
  readonly known: Known
  /** TLC's time in all; the manifest's if TLC was not run. */
  readonly tlcSeconds: number
  /** TLC finishes it in 5 s by its manifest. */
  readonly isQuick: boolean
}

export interface ModelRow extends Judgement {
  readonly suite: 'tla-examples'
  readonly kind: 'model'
  readonly model: string
  readonly known: number
  readonly distinct: number | undefined
  readonly generated: number | undefined
  readonly depth: number | undefined
  readonly seconds: number
  readonly tlcSeconds: number
}

export interface ModuleRow {
  readonly suite: 'tla-examples'
  readonly kind: 'module'
  readonly module: string
  readonly result: 'parsed' | 'refused' | 'crashed' | 'hung'
  readonly message?: string
}

const TIME_MS = 60_000
const QUICK_SECONDS = 5
const SMOKE = ['BoundedQueue.cfg', 'language/Structures.cfg', 'Microbenchmark5x10.cfg', 'TwoPhaseCommit.cfg']

export interface Options extends FilteredOptions {
  readonly examples: string | undefined
  readonly timeMs: number | undefined
}

export async function run({ examples: directory, smoke, json, only, timeMs = TIME_MS }: Options): Promise<void> {
  if (!smoke) assertCollection(directory)
  const all = smoke ? ownSubjects() : exampleSubjects(directory!)
  const huge = all.filter(({ known }) => only === undefined && known.distinct > HUGE_STATES)
  const subjects = all.filter((subject) => subject.name.includes(only ?? '') && !huge.includes(subject))
  if (subjects.length === 0) throw new UsageError(`no model's path contains "${only}"`)
  const rows: ModelRow[] = []
  const width = Math.max(...subjects.map(({ name }) => name.length))
  if (!json) console.log(line(width, ['model', 'known', 'distinct', 'generated', 'depth', 's', 'TLC s', 'verdict']))
  for (const subject of subjects) {
    const found = await explore(subject.specification, subject.configuration, { timeMs })
    const row = rowOf(subject, found)
    rows.push(row)
    if (json) console.log(JSON.stringify(row))
    else console.log(text(width, row))
  }
  if (!json) {
    for (const { name, known } of huge) console.log(`${name} has ${known.distinct} states: run with --only ${name}`)
    for (const [of, names] of groups(all)) console.log(total(of, rows, names))
  }
  if (!smoke) await parseAll(directory!, only, json)
}

function exampleSubjects(folder: string): readonly Subject[] {
  return examples(folder).map(({ distinct, seconds, ...example }) => {
    const figures = TLC.models[example.name]
    return {
      ...example,
      // A module without behaviours has no depth, though TLC calls it 1.
      known: { distinct, generated: figures?.generated, depth: distinct === 0 ? undefined : figures?.depth },
      tlcSeconds: figures?.seconds ?? seconds,
      isQuick: seconds <= QUICK_SECONDS,
    }
  })
}

function ownSubjects(): readonly Subject[] {
  return COUNTS.models
    .filter(({ configuration }) => SMOKE.includes(configuration))
    .map(({ specification, configuration, distinct, generated, depth, seconds }) => ({
      name: configuration,
      specification: join(MODELS, specification),
      configuration: join(MODELS, configuration),
      known: { distinct: distinct!, generated, depth },
      tlcSeconds: seconds,
      isQuick: seconds <= QUICK_SECONDS,
    }))
}

function rowOf({ name, known, tlcSeconds }: Subject, found: Explored): ModelRow {
  const { distinct, generated, depth } = found
  const seconds = Number(found.seconds.toFixed(2))
  const counts = { known: known.distinct, distinct, generated, depth, seconds, tlcSeconds }
  return { suite: 'tla-examples', kind: 'model', model: name, ...counts, ...judge(known, found) }
}

function line(width: number, [model, ...cells]: readonly string[]): string {
  const numbers = cells.slice(0, -1).map((cell) => cell.padStart(9))
  return [model!.padEnd(width), ...numbers, ` ${cells.at(-1)}`].join(' ')
}

function text(width: number, row: ModelRow): string {
  const numbers = [row.known, row.distinct, row.generated, row.depth].map((value) => String(value ?? '–'))
  const times = [row.seconds, row.tlcSeconds].map((seconds) => seconds.toFixed(1))
  const verdict = row.remark === undefined ? row.verdict : `${row.verdict}: ${row.remark}`
  return line(width, [row.model, ...numbers, ...times, verdict])
}

function groups(all: readonly Subject[]): readonly (readonly [string, readonly string[]])[] {
  const names = (subjects: readonly Subject[]) => subjects.map(({ name }) => name)
  const named = all.filter(({ name }) => NAMED.includes(name))
  const quick = all.filter(({ isQuick }) => isQuick)
  return [
    ...(named.length > 0 ? [['the listed models', names(named)] as const] : []),
    [`models that TLC finishes in ${QUICK_SECONDS} s`, names(quick)],
    ['all models', names(all)],
  ]
}

function total(of: string, rows: readonly ModelRow[], names: readonly string[]): string {
  const among = rows.filter(({ model }) => names.includes(model))
  const count = (verdict: string) => among.filter((row) => row.verdict === verdict).length
  const others = (['differs', 'failed', 'out of time'] as const)
    .filter((verdict) => count(verdict) > 0)
    .map((verdict) => `, ${count(verdict)} ${verdict}`)
  const left = names.length - among.length
  return `of ${of}, ${names.length}: ${count('exact')} exact${others.join('')}${left > 0 ? `, ${left} not run` : ''}`
}

/** Parses every module of the collection. */
async function parseAll(folder: string, only: string | undefined, json: boolean): Promise<void> {
  const counts = { parsed: 0, refused: 0, crashed: 0, hung: 0 }
  const parser = new Parser()
  try {
    for (const module of modules(folder).filter((path) => path.includes(only ?? ''))) {
      const parsed = await parser.parse(module, readFileSync(join(folder, module), 'utf8'))
      const row: ModuleRow = { suite: 'tla-examples', kind: 'module', module, ...parsed }
      counts[row.result]++
      if (json) console.log(JSON.stringify(row))
      else if (row.result !== 'parsed') console.log(`${row.result}: ${row.message ?? module}`)
    }
  } finally {
    parser.close()
  }
  const { parsed, refused, crashed, hung } = counts
  if (!json) console.log(`modules: ${parsed} parsed, ${refused} refused, ${crashed} crashed, ${hung} hung`)
}
