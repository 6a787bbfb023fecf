/**
 * Hermitage's anomalies, by the levels of PostgreSQL and MariaDB: what their documentation allows has to be found from
 * each seed, and what it forbids never.
 */
import { join } from 'node:path'
import { mariadb, postgres } from '../../packages/norn/src/options/databases.ts'
import { printTable } from '../output.ts'
import {
  ANOMALIES,
  type Anomaly,
  isAllowed,
  type Level,
  propertyName,
  SERVERS,
} from '../subjects/databases/documented.ts'
import type { FilteredOptions } from '../suite.ts'
import { SubjectProcess } from '../trials/subject-process.ts'
import { foundIn, seedsUpTo, type Trial } from '../trials/trial.ts'

interface Row {
  readonly suite: 'databases'
  readonly part: 'anomalies'
  readonly server: Server
  readonly anomaly: Anomaly
  readonly level: Level
  readonly documented: 'allowed' | 'forbidden'
  readonly trials: number
  readonly found: number
  readonly medianRuns: number | null
  /** Of all trials. */
  readonly executions: number
}

type Server = keyof typeof SERVERS

/** Where it is allowed: trials of so many executions at most. Where not: one trial, of all executions. */
const FULL = { trials: 10, runs: 500, forbidden: 2000, anomalies: ANOMALIES }
const SMOKE = { trials: 2, runs: 500, forbidden: 20, anomalies: ['G1a', 'P4', 'G2-item'] satisfies Anomaly[] }

const FILES = { postgres: 'anomalies', mariadb: 'anomalies-mariadb' } satisfies Record<Server, string>

const FOLDER = join(import.meta.dirname, '../subjects/databases')

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const { trials, runs, forbidden, anomalies } = smoke ? SMOKE : FULL
  const rows: Row[] = []
  for (const server of Object.keys(SERVERS) as Server[]) {
    const schema = join(FOLDER, 'schema.sql')
    const databases = { main: server === 'postgres' ? postgres({ schema }) : mariadb({ schema }) }
    const file = join(FOLDER, `${FILES[server]}.fuzz.ts`)
    const subject = new SubjectProcess({ name: FILES[server], file }, [], databases)
    try {
      for (const anomaly of anomalies) {
        for (const level of SERVERS[server].levels) {
          const name = propertyName(anomaly, level)
          if (!`${server}: ${name}`.includes(only)) continue
          const allowed = isAllowed(server, anomaly, level)
          const all: Trial[] = []
          for (const seed of seedsUpTo(allowed ? trials : 1)) {
            const bound = { runs: allowed ? runs : forbidden }
            all.push(await subject.trial({ strategy: 'portfolio' }, seed, bound, (each) => each === name))
          }
          const row = rowOf(server, anomaly, level, allowed, all)
          rows.push(row)
          const { documented, found, executions } = row
          if (json) console.log(JSON.stringify(row))
          else
            console.error(`${server}: ${name}: ${documented}, found ${found}/${row.trials} in ${executions} executions`)
        }
      }
    } finally {
      subject.close()
    }
  }
  if (rows.some(({ documented, trials, found }) => found !== (documented === 'allowed' ? trials : 0)))
    process.exitCode = 1
  if (!json)
    printTable(rows, ['server', 'anomaly', 'level', 'documented', 'trials', 'found', 'medianRuns', 'executions'])
}

function rowOf(server: Server, anomaly: Anomaly, level: Level, allowed: boolean, all: readonly Trial[]): Row {
  const { trials, found, medianRuns } = foundIn(all)
  return {
    suite: 'databases',
    part: 'anomalies',
    server,
    anomaly,
    level,
    documented: allowed ? 'allowed' : 'forbidden',
    trials,
    found,
    medianRuns,
    executions: all.reduce((sum, { runs }) => sum + runs, 0),
  }
}
