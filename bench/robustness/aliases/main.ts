/**
 * Aliases: failures whose aliases and property files have hostile names. All are checked as
 * `norn replay` checks them, and imported; for some, `norn replay` itself is called. An evil module
 * that runs fails the suite, and so does a table in which none would run without the check.
 */
import { fork, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { NO_CHOICES } from '../../../packages/norn/src/contract/choices.ts'
import { saveFailure } from '../../../packages/norn/src/storage/failure-file.ts'
import { chance, EXECUTION_FLAGS } from '../../engine.ts'
import { printTable } from '../../output.ts'
import { answer } from '../../processes.ts'
import type { CommonOptions } from '../../suite.ts'
import type { Checked, Outcome } from './child.ts'
import { type HostileName, hostileName } from './hostile-names.ts'
import { type HostileProject, hostileProject, IMPORTED, MARK } from './hostile-project.ts'

const MAIN = resolve(import.meta.dirname, '../../../packages/norn/src/cli/main.ts')
const SEED = 1
const CASES = 10_000
const SMOKE_CASES = 300
const REPLAYS = 100
const SMOKE_REPLAYS = 2

interface Row {
  readonly suite: 'aliases'
  /** What leads out of the project. */
  readonly name: string
  readonly cases: number
  readonly refused: number
  readonly notFound: number
  /** The name led to a module of the project after all. */
  readonly inside: number
  /** Must be 0. */
  readonly ran: number
  /** In how many an evil module runs if nothing is checked; unknown for replays. */
  readonly unchecked: number | undefined
}

export async function run({ smoke, json, aliases }: CommonOptions & { aliases: number | undefined }): Promise<void> {
  const cases = aliases ?? (smoke ? SMOKE_CASES : CASES)
  const project = hostileProject()
  try {
    mkdirSync(project.failures, { recursive: true })
    const template = failureTemplate(project)
    const checked = await checks(project, cases, template)
    const rows = [...new Set(checked.map(({ kind }) => kind))].sort().map((kind) =>
      rowOf(
        kind,
        checked.filter((each) => each.kind === kind),
      ),
    )
    const all = rowOf('all', checked)
    rows.push(all, await replays(project, Math.min(cases, smoke ? SMOKE_REPLAYS : REPLAYS), cases, template))
    if (json) for (const row of rows) console.log(JSON.stringify(row))
    else printTable(rows, ['name', 'cases', 'refused', 'notFound', 'inside', 'ran', 'unchecked'])
    if (rows.some(({ ran }) => ran > 0) || all.unchecked === 0) process.exitCode = 1
  } finally {
    rmSync(project.base, { recursive: true, force: true })
  }
}

function rowOf(name: string, checked: readonly Checked[]): Row {
  const count = (wanted: Outcome) => checked.filter(({ outcome }) => outcome === wanted).length
  return {
    ...{ suite: 'aliases', name, cases: checked.length, refused: count('refused'), notFound: count('not found') },
    ...{ inside: count('inside'), ran: count('ran') },
    unchecked: checked.filter(({ unchecked }) => unchecked).length,
  }
}

/** A failure of the project, whose property imports everything that an alias may replace. */
function failureTemplate({ root }: HostileProject): string {
  const imports = IMPORTED.filter((name) => !['__proto__', 'constructor'].includes(name))
  writeFileSync(
    join(root, 'p.fuzz.ts'),
    `${imports.map((name) => `import '${name}'\n`).join('')}import { fuzz } from 'norn'\n
fuzz('p', {}, async () => {
  for (const name of ${JSON.stringify(IMPORTED)}) await import(name).catch(() => {})
  throw new Error('as saved')
})
`,
  )
  const path = saveFailure(root, {
    ...{ property: 'p', file: 'p.fuzz.ts', identity: 'x', input: undefined, inputText: '', choices: NO_CHOICES },
    failure: { kind: 'error', errorName: 'Error', message: 'as saved', stack: '', frames: [] },
    ...{ traceHash: '', aliases: [], shrunk: false },
    found: { seed: 1, execution: 1, strategy: 'natural', name: undefined, example: undefined },
    environment: { node: '', norn: '', commit: undefined, variables: undefined },
  })
  const template = readFileSync(path, 'utf8')
  rmSync(path)
  return template
}

async function checks(project: HostileProject, cases: number, template: string): Promise<readonly Checked[]> {
  const child = fork(resolve(import.meta.dirname, 'child.ts'), [JSON.stringify([project, SEED, cases, template])], {
    execArgv: [...EXECUTION_FLAGS],
    env: { ...process.env, ...project.environment },
    cwd: project.root,
  })
  const checked = await answer<readonly Checked[]>(child)
  child.disconnect()
  return checked
}

/** Calls `norn replay` for some of the cases; `inside` counts those that show the failure as saved. */
async function replays(project: HostileProject, count: number, cases: number, template: string): Promise<Row> {
  const row = { refused: 0, notFound: 0, inside: 0, ran: 0 }
  const allowed = ['--alias', `./a.ts=${join(project.base, 'outside/evil.mjs')}`]
  const control = await replay(project, template, { kind: 'none' }, allowed)
  if (!control.output.includes(MARK)) throw new Error(`an evil module leaves no mark:\n${control.output}`)
  for (let at = 0; at < count; at++) {
    const name = hostileName(chance(SEED, Math.floor((at * cases) / count)), project)
    const { status, output } = await replay(project, template, name)
    if (output.includes(MARK)) row.ran++
    else if (status === 1) row.inside++
    else if (status === 2) row.refused++
    else row.notFound++
  }
  return { suite: 'aliases', name: 'norn replay', cases: count, ...row, unchecked: undefined }
}

async function replay(
  { root, failures, environment }: HostileProject,
  template: string,
  { alias, file }: HostileName,
  flags: readonly string[] = [],
) {
  const path = join(failures, 'hostile.json')
  const aliases = alias === undefined ? [] : [alias]
  writeFileSync(path, JSON.stringify({ ...JSON.parse(template), aliases, ...(file === undefined ? {} : { file }) }))
  const child = spawn(process.execPath, ['-C', 'norn-source', MAIN, 'replay', path, ...flags], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, output: stdout + stderr }
}
