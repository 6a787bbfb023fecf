/**
 * The reach suite: current, unmodified packages in small properties. A row works if the corrected
 * program passes conclusively under every schedule tried and the race planted in it is found.
 * Exits with 1 if a row differs from its expectation.
 */
import { installPackages } from '../install.ts'
import { printTable } from '../output.ts'
import { REACH, REACH_FOLDER, type ReachSubject } from '../subjects/catalogue.ts'
import { count, defineSuite, ONLY } from '../suite.ts'
import { examine, type State } from './examine.ts'
import { problemOnStock } from './stock.ts'

interface Row {
  readonly suite: 'reach'
  readonly area: string
  readonly subject: string
  readonly state: State
  readonly expected: State
  /** Execution in which the planted race was found; null without one. */
  readonly foundAt: number | null
  /** Executions of the corrected program that passed. */
  readonly passed: number
  readonly seconds: number
  /** The corrected program once on stock Node: `passes`, why not, or that it needs a server. */
  readonly stock: string
  readonly leaves: readonly string[]
  readonly why: string
}

const RUNS = { full: 300, smoke: 30 }
const SEARCHES = 500

/** Rows of a smoke run: these packages are dependencies of the repository, or part of Node. */
export const SMOKE: readonly string[] = [
  'node-http',
  'lru-cache',
  'p-queue',
  'web-streams',
  'readline',
  'write-file-atomic',
]

export const suite = defineSuite({
  summary: 'current packages of many kinds: works, inconclusive or wrong, with a planted race each',
  options: {
    only: ONLY,
    runs: count('runs', `executions of a corrected program (default: ${RUNS.full})`),
  },
  async run({ smoke, json, only = '', runs = smoke ? RUNS.smoke : RUNS.full }) {
    const chosen = REACH.filter(({ name }) => name.includes(only) && (!smoke || SMOKE.includes(name)))
    if (!smoke) installPackages(REACH_FOLDER)
    const table: Row[] = []
    for (const plan of chosen) {
      const row = await measure(plan, runs)
      table.push(row)
      if (json) console.log(JSON.stringify(row))
      else console.error(`${row.subject}: ${row.state}${row.why === '' ? '' : ` (${row.why})`}`)
    }
    if (!json)
      printTable(table, ['area', 'subject', 'state', 'expected', 'foundAt', 'passed', 'seconds', 'stock', 'why'])
    const differing = table.filter(isUnexpected)
    if (differing.length === 0) return
    console.error(`not as expected: ${differing.map(({ subject }) => subject).join(', ')}`)
    process.exitCode = 1
  },
})

async function measure(plan: ReachSubject, runs: number): Promise<Row> {
  const { name: subject, file, area, wayRound, needsServer, allowedAddons = [] } = plan
  const began = performance.now()
  const effort = { runs: Math.min(runs, plan.runs ?? runs), searches: SEARCHES, allowedAddons }
  const outcome = await examine(file, effort)
  const seconds = Math.round((performance.now() - began) / 1000)
  const problem = needsServer ? 'needs a server' : await problemOnStock(file)
  const { state, why = '', foundAt = null, passed, leaves } = outcome
  return {
    suite: 'reach',
    area,
    subject,
    state,
    expected: wayRound === undefined ? 'works' : 'inconclusive',
    foundAt,
    passed,
    seconds,
    stock: problem ?? 'passes',
    leaves,
    why: state === 'inconclusive' && wayRound !== undefined ? `${why}; instead: ${wayRound}` : why,
  }
}

/** Also if the program itself fails on stock Node: its row shows nothing then. */
export function isUnexpected({ state, expected, stock }: Record<'state' | 'expected' | 'stock', string>): boolean {
  return state !== expected || (expected === 'works' && stock !== 'passes')
}
