/**
 * The flaky suite: `norn flaky` in local checkouts of other projects, beside their own runners.
 *
 * A row of part `agreement` counts the tests that run as their runner says, with the time of both. A row of
 * part `speed` compares the first pass of norn with the runner, in turns. A row of part `sharing` counts the
 * tests whose first pass is another where each execution evaluates its modules. A row of part `flake` has what is
 * shown before and after a commit that mends a flaky test, beside reruns. `subjects.ts` lists what was chosen;
 * without a checkout, small cases of our own run.
 */
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printer, type Say } from '../output.ts'
import { count, defineSuite, flag, list, text, UsageError } from '../suite.ts'
import { agreementOf, reasonsOf, verdictDifferences } from './agreement.ts'
import { runNornFlaky } from './norn-flaky.ts'
import { type Rerun, rerun } from './reruns.ts'
import { runOwnRunner } from './runners.ts'
import { FLAKES, RUNNERS, type Runner, SUITES } from './subjects.ts'

const CASES = resolve(import.meta.dirname, 'cases')

/** No rounds behind it. */
const FIRST_PASS = ['--schedules', '5', '--runs', '5']

interface Checkout {
  readonly root: string
  readonly runner: Runner
  /** For both; empty for the files that each finds. */
  readonly files: readonly string[]
  /** Of the runner alone. */
  readonly runnerArgs: readonly string[]
  /** Of norn alone. */
  readonly nornArgs: readonly string[]
}

export const suite = defineSuite({
  summary: 'tests of other projects under `norn flaky`, beside their own runners',
  options: {
    root: text('root', 'DIR', 'a checkout with its packages (default: cases of our own)'),
    after: text('after', 'DIR', 'a checkout behind the commit that mends a flaky test; --root is before it'),
    runner: list('runner', 'the runner of the project (default: node:test)', RUNNERS),
    files: text('files', 'FILES', 'files of tests, separated by commas (default: what the runner and norn find)'),
    runnerArgs: text('runner-args', 'ARGS', 'more arguments of the runner, separated by spaces'),
    nornArgs: text('norn-args', 'ARGS', 'more arguments of norn flaky, separated by spaces'),
    turns: count('turns', 'comparisons of the first pass with the runner, in speed (default: 0)'),
    sharing: flag(
      'sharing',
      'instead, compare the first pass with that of norn flaky --fresh-modules; exits with 1 if they differ',
    ),
    reruns: count('reruns', 'reruns of a flake: plain, beside eight busy loops, and with delays (default: 10)'),
    chosen: flag('chosen', 'print the chosen suites and flakes instead'),
  },
  async run({
    root,
    after,
    runner: runners,
    files,
    runnerArgs,
    nornArgs,
    turns,
    sharing,
    reruns = 10,
    chosen,
    smoke,
    json,
  }) {
    const say = printer(json)
    if (chosen === true) return printChosen(say)
    const checkout: Checkout = {
      root: root === undefined ? join(CASES, 'before') : folder(root),
      runner: (runners?.[0] as Runner | undefined) ?? 'node:test',
      files: root === undefined ? ['order.mjs', 'plain.mjs'] : words(files, ','),
      runnerArgs: words(runnerArgs, ' '),
      nornArgs: words(nornArgs, ' '),
    }
    if (sharing === true) return compareSharing(checkout, say)
    await agreement(checkout, say)
    await speed(checkout, turns ?? (root === undefined ? 1 : 0), say)
    if (root === undefined || after !== undefined) {
      const before = root === undefined ? { ...checkout, files: ['order.mjs'] } : checkout
      const mended = root === undefined ? join(CASES, 'after') : folder(after!)
      await flake(before, { ...before, root: mended }, smoke ? 1 : reruns, say)
    }
  },
})

async function agreement({ root, runner, files, runnerArgs, nornArgs }: Checkout, say: Say): Promise<void> {
  const own = await runOwnRunner(runner, root, [...runnerArgs, ...files])
  const norn = await runNornFlaky(root, [...nornArgs, ...files])
  const { tests, asRunner, flaky, differences } = agreementOf(own.value, norn.value)
  const reasons = reasonsOf(differences)
  say(
    { suite: 'flaky', part: 'agreement', root, tests, asRunner, flaky, ownMs: own.ms, nornMs: norn.ms, differences },
    [
      `${root}: ${asRunner} of ${tests} tests run as ${runner} says, ${flaky} of them flaky; ${runner} ${own.ms} ms, norn ${norn.ms} ms`,
      ...reasons.map(([reason, of]) => `  ${of} ${reason}`),
    ].join('\n'),
  )
}

/** The first pass of norn, which knows nothing yet, and the runner, one after the other. */
async function speed({ root, runner, files, runnerArgs, nornArgs }: Checkout, turns: number, say: Say): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) {
    const own = await runOwnRunner(runner, root, [...runnerArgs, ...files])
    const norn = await firstPass(root, [...nornArgs, ...files])
    const tests = [...norn.value.tests.values()]
    const executions = tests.reduce((sum, each) => sum + each.executions, 0)
    const withPoints = tests.filter(({ points }) => points > 0).length
    const counts = { tests: tests.length, withPoints, executions }
    const times = [own.ms, own.processorMs, norn.ms, norn.processorMs]
    const [ownMs, ownProcessorMs, nornMs, nornProcessorMs] = times
    const factors = [ratio(nornMs, ownMs), ratio(nornProcessorMs, ownProcessorMs)]
    say(
      { suite: 'flaky', part: 'speed', root, turn, ...counts, ownMs, ownProcessorMs, nornMs, nornProcessorMs },
      `first pass over ${counts.tests} tests (${withPoints} with schedule points), ${executions} executions: ${nornMs} ms, ${nornProcessorMs} of the processor; ${runner} ${ownMs} ms, ${ownProcessorMs}; factors ${factors.join(' and ')}`,
    )
  }
}

/** Without what earlier calls know. */
async function firstPass(root: string, args: readonly string[]) {
  rmSync(join(root, '.norn', 'flaky'), { recursive: true, force: true })
  return runNornFlaky(root, [...FIRST_PASS, ...args])
}

/** The first pass with modules that executions share, and without. */
async function compareSharing({ root, files, nornArgs }: Checkout, say: Say): Promise<void> {
  const shared = await firstPass(root, [...nornArgs, ...files])
  const fresh = await firstPass(root, ['--fresh-modules', ...nornArgs, ...files])
  const differences = verdictDifferences(shared.value, fresh.value)
  const tests = fresh.value.tests.size
  const unloaded = fresh.value.unloaded.size
  if (differences.length > 0) process.exitCode = 1
  say(
    { suite: 'flaky', part: 'sharing', root, tests, unloaded, sharedMs: shared.ms, freshMs: fresh.ms, differences },
    [
      `${root}: ${differences.length} of ${tests} tests differ from --fresh-modules, ${unloaded} files do not load; ${shared.ms} ms, fresh ${fresh.ms} ms; processor ${ratio(fresh.processorMs, shared.processorMs)}`,
      ...differences.map(({ test, shared, fresh }) => `  ${test}: ${shared}; with fresh modules ${fresh}`),
    ].join('\n'),
  )
}

function ratio(norn: number | undefined, own: number | undefined): string {
  return norn === undefined || own === undefined ? 'unknown' : (norn / own).toFixed(2)
}

async function flake(before: Checkout, after: Checkout, runs: number, say: Say): Promise<void> {
  const flakyIn = async ({ root, files, nornArgs }: Checkout) => {
    const { value, ms } = await runNornFlaky(root, [...nornArgs, ...files])
    return { tests: [...value.tests].filter(([, { verdict }]) => verdict === 'flaky').map(([test]) => test), ms }
  }
  const shown = await flakyIn(before)
  const left = await flakyIn(after)
  const args = [...before.runnerArgs, ...before.files]
  const again = (how: Rerun) => rerun(before.runner, before.root, args, runs, how)
  const plain = await again('plain')
  const loaded = await again('loaded')
  const delayed = await again('delayed')
  say(
    { suite: 'flaky', part: 'flake', root: before.root, before: shown, after: left, plain, loaded, delayed },
    [
      `before: ${shown.tests.length} flaky in ${shown.ms} ms; after: ${left.tests.length} flaky in ${left.ms} ms`,
      ...shown.tests.map((test) => `  flaky before: ${test}`),
      ...left.tests.map((test) => `  flaky after: ${test}`),
      `reruns: ${plain.failed} of ${runs} failed in ${plain.ms} ms; beside busy loops ${loaded.failed} in ${loaded.ms} ms; with delays ${delayed.failed} in ${delayed.ms} ms`,
    ].join('\n'),
  )
}

function printChosen(say: Say): void {
  for (const each of SUITES)
    say(each, `${each.repository} ${each.commit} ${each.folder} ${each.runner} ${each.args.join(' ')}`)
  for (const each of FLAKES) say(each, `${each.repository} ${each.commit} ${each.file}: ${each.kind}; ${each.mends}`)
}

function folder(path: string): string {
  if (!existsSync(path)) throw new UsageError(`no such folder: "${path}"`)
  return resolve(path)
}

function words(text: string | undefined, separator: string): readonly string[] {
  return text?.split(separator).filter((word) => word !== '') ?? []
}
