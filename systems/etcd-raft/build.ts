/**
 * `npm run systems:etcd-raft`: installs what the harness needs, and builds it. `-- --mutants` builds
 * the mutants of the library too, `-- --covered` the library with counters of its blocks. What is up
 * to date is not built again.
 */
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { buildHarness } from './harness.ts'
import { MUTANTS } from './mutants/index.ts'
import { install } from './toolchain.ts'

const FLAG = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { mutants: FLAG, covered: FLAG } })
try {
  install()
  const say = (binary: string) => console.log(`built ${relative('', binary)}`)
  say(buildHarness())
  if (values.covered) say(buildHarness(undefined, true))
  if (values.mutants) for (const mutant of MUTANTS) say(buildHarness(mutant))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
