/**
 * `norn init [MODULE]`: writes a first property beside a module, a configuration, a workflow for GitHub
 * and the script `fuzz`. Writes over nothing that is there.
 *
 * The module is the first of the most asynchronous ones whose property passes: one that starts a server
 * or reads the command line when it loads makes a poor beginning.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { print } from '#shared/print'
import { NOTHING } from '../../options/guide.ts'
import { UndecidedError } from '../../session/errors.ts'
import { runSession } from '../../session/session.ts'
import { collectTargets } from '../../session/targets.ts'
import { type ExitStatus, STATUS, UsageError } from '../exit-status.ts'
import { candidates } from './modules.ts'
import { type Repository, repositoryAt } from './repository.ts'
import { CONFIGURATION, propertyPath, propertyText, workflowText } from './texts.ts'

/** So many modules are tried. */
const TRIES = 10
/** Executions of a try. */
const RUNS = 20

const WORKFLOW = '.github/workflows/norn.yml'
const CONFIGURATIONS = ['norn.config.ts', 'norn.config.mjs', 'norn.config.js']
const IGNORED = '.norn/corpus/'

export async function initCommand(module: string | undefined): Promise<ExitStatus> {
  const repository = repositoryAt(process.cwd())
  const { root, isTypeScript, manager } = repository
  const chosen = module === undefined ? await firstThatPasses(repository) : pathOf(root, module)
  const property = propertyPath(chosen, repository)
  write(root, property, propertyText(chosen))
  const configuration = CONFIGURATIONS.find((name) => existsSync(join(root, name)))
  write(root, configuration ?? `norn.config.${isTypeScript ? 'ts' : 'mjs'}`, CONFIGURATION)
  write(root, WORKFLOW, workflowText(manager))
  addScript(root)
  ignoreCorpus(root)
  if (isTypeScript && !existsSync(join(root, 'node_modules/@types/node')))
    print('\nThe compiler needs the types of Node: npm i -D @types/node')
  print(`\nSay in ${property} what has to hold, and search: ${manager.run} norn fuzz`)
  return STATUS.passed
}

function pathOf(root: string, module: string): string {
  const path = relative(root, resolve(module))
  if (!existsSync(join(root, path))) throw new UsageError(`no such module: ${module}`)
  return path
}

async function firstThatPasses(repository: Repository): Promise<string> {
  const found = candidates(repository.root)
  if (found.length === 0)
    throw new UsageError('found no module that exports something. Name one: norn init src/thing.js')
  for (const each of found.slice(0, TRIES)) if (await passes(each, repository)) return each
  const [first] = found
  throw new UndecidedError(
    `of ${Math.min(TRIES, found.length)} modules, none loads under norn's control; the first is ${first}. Name one that does: norn init src/thing.js`,
  )
}

/** Whether the property of a module passes. Leaves no file behind. */
async function passes(module: string, repository: Repository): Promise<boolean> {
  const { root } = repository
  const file = join(root, propertyPath(module, repository))
  if (existsSync(file)) return true
  writeFileSync(file, propertyText(module))
  try {
    const { targets } = await collectTargets([file], () => ({ file, root, aliases: [] }), undefined)
    const [target] = targets
    if (target === undefined) return false
    try {
      const options = { seed: 1, strategy: 'random', guide: NOTHING, runs: RUNS, timeMs: 10_000, keepGoing: false }
      const origin = { root, commit: () => undefined }
      const rest = { shrink: false, saved: false, workers: 1, cover: [], origin }
      return (await runSession(target, { ...options, ...rest }, () => {})).verdict === 'passed'
    } finally {
      target.process.close()
    }
  } finally {
    rmSync(file)
  }
}

function write(root: string, name: string, text: string): void {
  const path = join(root, name)
  if (existsSync(path)) {
    print(`kept   ${name}`)
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  print(`wrote  ${name}`)
}

function addScript(root: string): void {
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  const manifest = JSON.parse(text) as { scripts?: Record<string, string> }
  if (manifest.scripts?.fuzz !== undefined) {
    print('kept   package.json: script fuzz')
    return
  }
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  '
  const changed = { ...manifest, scripts: { ...manifest.scripts, fuzz: 'norn fuzz' } }
  writeFileSync(path, JSON.stringify(changed, undefined, indent) + (text.endsWith('\n') ? '\n' : ''))
  print('wrote  package.json: script fuzz')
}

/** Failures belong into the repository; what speeds up a search does not. */
function ignoreCorpus(root: string): void {
  const path = join(root, '.gitignore')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (text.split('\n').some((line) => /^\/?\.norn\b/.test(line.trim()))) return
  writeFileSync(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${IGNORED}\n`)
  print(`wrote  .gitignore: ${IGNORED}`)
}
