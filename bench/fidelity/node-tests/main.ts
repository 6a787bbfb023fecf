/**
 * Node's own tests: what passes on stock Node has to pass in the world, under the default schedule and under others.
 * Exits with 1 if one fails or loses its process that accepted.ts does not list, or if a listed one passes.
 *
 * The tests are those of a checkout of Node, or of a repository that carries them; nothing is fetched.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chance } from '../../engine.ts'
import { printer, printTable } from '../../output.ts'
import { type FilteredOptions, UsageError } from '../../suite.ts'
import { ACCEPTED } from './accepted.ts'
import { type Class, World } from './examine.ts'
import { onStock } from './stock.ts'
import { type TestFile, testFiles } from './test-files.ts'

interface Options extends FilteredOptions {
  readonly tests: string | undefined
  readonly runs: number | undefined
  readonly seed: number | undefined
  readonly stock: string | undefined
}

const SMOKE = /^parallel\/test-(?:timers-immediate|next-tick|event-emitter-once)/

export async function run({ smoke, json, only = '', tests, runs = 0, seed, stock: kept }: Options): Promise<void> {
  if (tests === undefined) {
    console.error(
      "node-tests: skipped: pass --tests DIR, the folder of Node's own tests, which holds parallel and common",
    )
    return
  }
  const root = resolve(tests)
  if (!existsSync(join(root, 'parallel'))) throw new UsageError(`--tests: ${tests} has no folder parallel`)
  const all = testFiles(root).filter(({ name }) => name.includes(only) && (!smoke || SMOKE.test(name)))
  if (all.length === 0) throw new UsageError(`--only: no test of ${tests} has "${only}" in its name`)
  const chosen = all.filter(({ leftOut }) => leftOut === undefined)
  if (!json) console.error(`${chosen.length} files on stock Node, then in the world`)
  const stock = await onStock(chosen, availableParallelism(), kept)
  const files = all.filter(({ name }) => stock.get(name) === 'passed')
  const ordered = seed === undefined ? files : shuffled(files, seed)
  const say = printer(json)
  const counts = { files: all.length, 'pass on stock Node': files.length }
  const classes: Record<Class, number> = { passed: 0, inconclusive: 0, wrong: 0, lost: 0 }
  let [schedules, unlike, behind, held, unexplained] = [0, 0, 0, 0, 0]
  const folder = mkdtempSync(join(tmpdir(), 'norn-node-tests-'))
  const list = join(folder, 'chosen.json')
  writeFileSync(list, JSON.stringify(files.map(({ name, path }) => ({ name, path }))))
  const world = new World(root, list, runs)
  try {
    for (const test of ordered) {
      const { name } = test
      const found = await world.examine(test)
      classes[found.class]++
      schedules += found.schedules
      unlike += found.unlike
      if (found.behindOthers !== undefined) behind++
      if (found.isHeld) held++
      const isUnlike = found.class === 'wrong' || found.class === 'lost' || found.unlike > 0
      const reason = ACCEPTED[name]
      if (isUnlike !== (reason !== undefined)) unexplained++
      const others = found.behindOthers === undefined ? '' : ` (${found.behindOthers} behind others)`
      const text = `${found.class}${others}: ${name}${reason === undefined ? '' : ` (accepted: ${reason})`}: ${found.why}`
      if (found.class !== 'passed' || isUnlike || found.behindOthers !== undefined)
        say({ suite: 'node-tests', name, ...found, reason }, text)
      else if (reason !== undefined) say({ suite: 'node-tests', name, reason }, `passes, and is listed: ${name}`)
    }
  } finally {
    world.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const row = { ...counts, ...classes, 'unlike behind others': behind, held, schedules, unlike, unexplained }
  if (json) console.log(JSON.stringify({ suite: 'node-tests', ...row }))
  else printTable([row], Object.keys(row) as (keyof typeof row)[])
  if (unexplained > 0) process.exitCode = 1
}

/** In an order drawn from a seed. */
function shuffled(files: readonly TestFile[], seed: number): readonly TestFile[] {
  const draws = chance(0, seed)
  const order = [...files]
  for (let at = order.length - 1; at > 0; at--) {
    const other = draws.integer(0, at)
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  return order
}
