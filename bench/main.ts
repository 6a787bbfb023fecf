/**
 * The experiments: `npm run bench -- SUITE [OPTIONS]`. Dispatches to a suite, and prints help from
 * the declarations of the suites (suite.ts).
 */
import { columns, helpOf, type Suite, UsageError } from './suite.ts'

// Processes that suites start resolve the packages of this repository to their sources, as this one
// does.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --conditions=norn-source`

const SUITES: Readonly<Record<string, () => Promise<{ suite: Suite }>>> = {
  races: () => import('./races/main.ts'),
  sentence: () => import('./sentence/main.ts'),
  confuzz: () => import('./confuzz/main.ts'),
  ablation: () => import('./ablation/main.ts'),
  microbenchmark: () => import('./microbenchmark/main.ts'),
  raft: () => import('./raft/main.ts'),
  shrinking: () => import('./shrinking/main.ts'),
  stopping: () => import('./stopping/main.ts'),
  speed: () => import('./speed/main.ts'),
  fidelity: () => import('./fidelity/main.ts'),
  tla: () => import('./tla/main.ts'),
  history: () => import('./history/main.ts'),
  databases: () => import('./databases/main.ts'),
  robustness: () => import('./robustness/main.ts'),
  reach: () => import('./reach/main.ts'),
  fleet: () => import('./fleet/main.ts'),
  flaky: () => import('./flaky/main.ts'),
  compare: () => import('./compare.ts'),
}

const [name, ...args] = process.argv.slice(2)
if (name === '--help' || name === '-h') console.log(await overview())
else if (name === undefined || !Object.hasOwn(SUITES, name)) {
  console.error(name === undefined ? 'missing suite' : `unknown suite: "${name}"`)
  console.error(await overview())
  process.exitCode = 2
} else {
  const { suite } = await SUITES[name]!()
  if (args.includes('--help') || args.includes('-h')) console.log(helpOf(name, suite))
  else await runSuite(name, suite, args)
}

async function runSuite(name: string, suite: Suite, args: readonly string[]): Promise<void> {
  try {
    await suite.run(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${name}: ${error.message}\nRun \`npm run bench -- ${name} --help\` for options.`)
    process.exitCode = 2
  }
}

async function overview(): Promise<string> {
  const suites = await Promise.all(Object.entries(SUITES).map(async ([name, load]) => [name, await load()] as const))
  const summaries = suites.map(([name, { suite }]) => [name, suite.summary] as const)
  return `usage: npm run bench -- SUITE [OPTIONS]; SUITE --help lists the options of a suite\n\nsuites:\n${columns(summaries)}`
}
