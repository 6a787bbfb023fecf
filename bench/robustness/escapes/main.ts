/**
 * Escapes: programs that try to reach the disk, the network or other processes past the world, by every way that
 * Node has. strace looks on from outside: none may touch anything but what norn itself writes.
 */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printer } from '../../output.ts'
import { type CommonOptions, UsageError } from '../../suite.ts'
import { type Call, callsOf, TRACED, touches } from './calls.ts'
import { PROGRAMS } from './programs.ts'

const NORN = fileURLToPath(new URL('../../../packages/norn', import.meta.url))
const NODE = realpathSync(process.execPath)
/** Of each kind, with `--smoke`. */
const SMOKE_PROGRAMS = 8
const LIMIT_MS = 600_000

export async function run({ smoke, json }: CommonOptions): Promise<void> {
  const say = printer(json)
  if (spawnSync('strace', ['--version']).status !== 0)
    throw new UsageError('the part escapes needs strace: `apt install strace` installs it')
  const total = { programs: 0, ran: 0, touched: 0 }
  for (const [kind, all] of Object.entries(PROGRAMS)) {
    const programs = Object.entries(all).slice(0, smoke ? SMOKE_PROGRAMS : undefined)
    const { ran, calls } = seenFromOutside(programs)
    for (const { text } of calls) say({ suite: 'escapes', kind, call: text }, `${kind}: ${text}`)
    total.programs += programs.length
    total.ran += ran
    total.touched += calls.length
  }
  const { programs, ran, touched } = total
  say(
    { suite: 'escapes', name: 'all', ...total },
    `escapes: ${programs} programs, ${ran} ran, ${touched} calls touch the outside`,
  )
  if (touched > 0 || ran < programs) process.exitCode = 1
}

/** Runs programs under norn. Returns how many ran, and what touched the outside. */
function seenFromOutside(programs: readonly (readonly [name: string, code: string])[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'norn-escapes-')))
  const place = (name: string) => join(folder, name)
  try {
    for (const name of ['project/node_modules', 'own', 'outside/folder']) mkdirSync(place(name), { recursive: true })
    symlinkSync(NORN, place('project/node_modules/norn'))
    writeFileSync(place('outside/file'), 'untouched')
    writeFileSync(place('project/escapes.fuzz.mjs'), sourceOf(programs, place('outside')))
    const own = { HOME: place('own'), TMPDIR: place('own'), XDG_CACHE_HOME: place('own') }
    const args = ['-f', '-qq', '-y', '-s', '400', '-e', `trace=${TRACED}`, '-e', 'signal=none', '-o', place('trace')]
    const norn = [NODE, '-C', 'norn-source', join(NORN, 'src/cli/main.ts'), 'fuzz', 'escapes.fuzz.mjs']
    const { stdout, stderr } = spawnSync('strace', [...args, ...norn, '--runs', '2', '--seed', '1', '--json'], {
      cwd: place('project'),
      env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...own },
      encoding: 'utf8',
      timeout: LIMIT_MS,
      maxBuffer: 1 << 28,
    })
    if (stdout === '') throw new Error(`norn did not run: ${stderr}`)
    const all = callsOf(readFileSync(place('trace'), 'utf8'))
    const allowed = {
      folders: [place('own'), place('project/.norn')],
      programs: new Set([NODE]),
      supervisor: all[0]!.pid,
    }
    const ran = new Set(
      stdout.split('\n').flatMap((line) => /"type":"summary".*"property":"([^"]*)"/.exec(line)?.[1] ?? []),
    )
    const calls: Call[] = all.filter((call) => touches(call, allowed))
    const left = [...readdirSync(place('outside')), ...readdirSync(place('outside/folder'))].join()
    const isSame = left === 'file,folder' && readFileSync(place('outside/file'), 'utf8') === 'untouched'
    if (!isSame) calls.push({ pid: 0, name: 'left', text: `left on the disk: ${left}`, paths: [] })
    return { ran: ran.size, calls }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file of properties, each of which has a path of its own outside. */
function sourceOf(programs: readonly (readonly [name: string, code: string])[], outside: string): string {
  const bodies = programs.map(([name, code], index) => {
    const paths = `const [M, O, D] = ${JSON.stringify([join(outside, `made-${index}`), join(outside, 'file'), join(outside, 'folder')])}`
    return `fuzz(${JSON.stringify(name)}, {}, async () => {\n  ${paths}\n  try { ${code} } catch {}\n  await pause()\n})\n`
  })
  const head = `import { createRequire } from 'node:module'\nimport { fuzz } from 'norn'\nconst r = createRequire(import.meta.url)\n`
  const pause = 'const pause = () => new Promise((resolve) => setTimeout(resolve, 20))\n'
  return [head, pause, ...bodies].join('')
}
