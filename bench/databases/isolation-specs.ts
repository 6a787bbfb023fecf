/**
 * PostgreSQL's isolation specifications on the device: each permutation has to print what is published, waits included.
 * The specifications come with the source of PostgreSQL, which is brought beside the repository.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DeviceError } from '../../packages/norn/src/devices/device.ts'
import { PostgresDevice } from '../../packages/norn/src/devices/postgres/postgres-device.ts'
import { startDatabases } from '../../packages/norn/src/devices/servers/start.ts'
import { postgres } from '../../packages/norn/src/options/databases.ts'
import { printTable } from '../output.ts'
import { type FilteredOptions, UsageError } from '../suite.ts'
import { DeviceClient } from './device-client.ts'
import { FIFTY } from './fifty.ts'
import { IsolationTester } from './isolation-tester.ts'
import { parseSpecification } from './specification.ts'

interface Options extends FilteredOptions {
  readonly root: string | undefined
  readonly rest: boolean | undefined
  readonly twice: boolean | undefined
  readonly differences: string | undefined
}

interface Row {
  readonly suite: 'databases'
  readonly part: 'isolation-specs'
  readonly specification: string
  readonly permutations: number
  readonly same: number
  /** Permutations in which the device said the same, byte by byte, when they ran again. */
  readonly repeated?: number
  /** Of the first permutation that differs: the first line that was printed, and the published one. */
  readonly printed?: string
  readonly published?: string
}

/** Those that print within a minute. */
const SMOKE = ['simple-write-skew', 'deadlock-hard', 'insert-conflict-do-nothing']

/** What PostgreSQL's own runner sets. */
const PARAMETERS = {
  user: 'postgres',
  database: 'isolation_regression',
  datestyle: 'Postgres, MDY',
  timezone: 'PST8PDT',
  intervalstyle: 'postgres_verbose',
}

export async function run({ root, rest, twice, differences, smoke, json, only = '' }: Options): Promise<void> {
  if (root === undefined) {
    console.error('databases: isolation-specs: skipped: pass --root DIR, src/test/isolation of PostgreSQL 15')
    return
  }
  if (!existsSync(join(root, 'isolation_schedule'))) throw new UsageError(`--root: no isolation_schedule in ${root}`)
  if (differences !== undefined) mkdirSync(differences, { recursive: true })
  const chosen = (rest ? others(root) : smoke ? SMOKE : FIFTY).filter((name) => name.includes(only))
  const [target] = startDatabases({ main: postgres({ database: PARAMETERS.database }) })
  if (target?.kind !== 'postgres') throw new Error('there is no server')
  let device = new PostgresDevice(target, `norn_${process.pid}`)
  const rows: Row[] = []
  for (const name of chosen) {
    const { printed, repeated, failed } = await printedOf(device, root, name, twice === true)
    if (failed) {
      await device.dispose().catch(() => {})
      device = new PostgresDevice(target, `norn_${process.pid}_${rows.length}`)
    }
    const row = { ...rowOf(root, name, printed), ...(twice && { repeated }) }
    rows.push(row)
    if (differences !== undefined && row.same < row.permutations)
      writeFileSync(join(differences, `${name}.out`), printed.join('\n'))
    if (json) console.log(JSON.stringify(row))
    else console.error(`${name}: ${row.same}/${row.permutations}`)
  }
  await device.dispose()
  const isSame = ({ permutations, same, repeated = permutations }: Row) => permutations === Math.min(same, repeated)
  if (!rows.every(isSame)) process.exitCode = 1
  if (json) return
  printTable(rows, ['specification', 'permutations', 'same', 'repeated', 'printed', 'published'])
  console.log(`${rows.filter(isSame).length} of ${rows.length} specifications have the published outcome`)
}

function others(root: string): string[] {
  const schedule = readFileSync(join(root, 'isolation_schedule'), 'utf8')
  return [...schedule.matchAll(/^test: (\S+)$/gm)].map(([, name]) => name!).filter((name) => !FIFTY.includes(name))
}

async function printedOf(
  device: PostgresDevice,
  root: string,
  name: string,
  twice: boolean,
): Promise<{ readonly printed: readonly string[]; readonly repeated: number; readonly failed: boolean }> {
  const specification = parseSpecification(readFileSync(join(root, 'specs', `${name}.spec`), 'utf8'))
  const parameters = (session: string) => ({ ...PARAMETERS, application_name: `isolation/${name}/${session}` })
  const tester = new IsolationTester(new DeviceClient(device), specification, parameters)
  const printed: string[] = []
  let repeated = 0
  try {
    for (const permutation of specification.permutations) {
      const first = await tester.run(permutation)
      printed.push(first.printed)
      if (twice && (await tester.run(permutation)).digest === first.digest) repeated++
    }
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return { printed: [...printed, error.message], repeated, failed: true }
  }
  return { printed, repeated, failed: false }
}

/** Of several published outcomes, the one that fits best. */
function rowOf(root: string, name: string, printed: readonly string[]): Row {
  const variant = new RegExp(`^${name}(?:_\\d+)?\\.out$`)
  const files = readdirSync(join(root, 'expected')).filter((file) => variant.test(file))
  const published = files.map((file) => permutationsOf(readFileSync(join(root, 'expected', file), 'utf8')))
  const differing = published.map((all) => all.flatMap((each, at) => (each === printed[at]?.trimEnd() ? [] : [at])))
  const least = Math.min(...differing.map(({ length }) => length))
  const best = differing.findIndex(({ length }) => length === least)
  const all = published[best]!
  const row = {
    suite: 'databases',
    part: 'isolation-specs',
    specification: name,
    permutations: all.length,
    same: all.length - least,
  } as const
  if (least === 0) return row
  const at = differing[best]![0]!
  const theirs = all[at]!.split('\n')
  const mine = (printed[at] ?? '').trimEnd().split('\n')
  const line = theirs.findIndex((each, index) => each !== mine[index])
  const [shown, wanted] = line < 0 ? [mine[theirs.length], undefined] : [mine[line], theirs[line]]
  return { ...row, printed: shown ?? '(end)', published: wanted ?? '(end)' }
}

function permutationsOf(text: string): string[] {
  const [, ...all] = text.split(/^(?=starting permutation:)/m)
  return all.map((each) => each.trimEnd())
}
