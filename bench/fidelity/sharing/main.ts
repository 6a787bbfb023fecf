/**
 * The tests of published packages, with modules that executions share and with modules of their own: each test must
 * have the same campaign. Exits with 1 if one has not.
 *
 * Compared is all that a campaign reports, but for times: verdicts, failures and their choices, inconclusive
 * executions with their reasons, counts, coverage and states.
 */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { campaignsOf, type Measured } from '../../campaigns.ts'
import { RequestRefused, WorkerLost } from '../../engine.ts'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { aliasesFor, SUITE } from '../no-false-alarms/aliases.ts'
import { expectation } from '../no-false-alarms/expected.ts'
import type { Options } from '../no-false-alarms/main.ts'
import { ownSuites, repositorySuites, type SuiteFile } from '../no-false-alarms/sources.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

const SMOKE = new Set(['fastq', 'p-limit', 'workq'])

/** Executions of each test: in the small form, too, modules are shared before the last. */
const RUNS = { full: 200, smoke: 60 }

export async function run({ smoke, json, only = '', suites, runs }: Options): Promise<void> {
  const say = printer(json)
  const files = suites === undefined ? ownSuites() : repositorySuites(resolve(suites))
  const chosen = files.filter(
    (file) => `${file.package}/${file.name}`.includes(only) && (!smoke || SMOKE.has(file.package)),
  )
  const each = runs ?? (smoke ? RUNS.smoke : RUNS.full)
  for (const name of new Set(chosen.map((file) => file.package))) {
    const sums = { tests: 0, executions: 0, sharedMs: 0, freshMs: 0 }
    const differences: string[] = []
    for (const file of chosen.filter((other) => other.package === name)) {
      const shared = await resultsOf(file, false, each)
      const fresh = await resultsOf(file, true, each)
      sums.tests += fresh.results.size
      sums.executions += shared.executions
      sums.sharedMs += shared.ms
      sums.freshMs += fresh.ms
      const tests = [...new Set([...shared.results.keys(), ...fresh.results.keys()])]
      const differs = (test: string) => !isDeepStrictEqual(shared.results.get(test), fresh.results.get(test))
      differences.push(...tests.filter(differs).map((test) => `${file.name}: ${test}`))
    }
    if (differences.length > 0) process.exitCode = 1
    const ratio = rounded(sums.freshMs / sums.sharedMs)
    say(
      { suite: 'sharing', package: name, ...sums, ratio, differences },
      [
        `${name}: ${differences.length} of ${sums.tests} tests differ, ${sums.executions} executions a side; with fresh modules ${ratio} times the processor time`,
        ...differences.map((test) => `  DIFFERS: ${test}`),
      ].join('\n'),
    )
  }
}

async function resultsOf(file: SuiteFile, freshModules: boolean, runs: number): Promise<Measured> {
  const isChosen = (test: string) => expectation({ file, test })?.kind !== 'too heavy'
  try {
    return await campaignsOf({ file: SUITE, root: ROOT, aliases: aliasesFor(file.path), freshModules, runs, isChosen })
  } catch (error) {
    if (!(error instanceof RequestRefused) && !(error instanceof WorkerLost)) throw error
    return { executions: 0, ms: 0, results: new Map([['does not load', error.message]]) }
  }
}
