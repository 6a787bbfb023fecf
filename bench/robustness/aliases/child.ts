/**
 * Reads failures with hostile names as `norn replay` does, then imports what they name, by norn's
 * loader without its world, where an evil module runs if it is loaded. Sends what came of each.
 *
 * Each part of the check stands alone: what the first part refuses is imported all the same.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Loader } from '../../../packages/norn/src/loader/loader.ts'
import { mergeAliases, propertyFile } from '../../../packages/norn/src/session/named-modules.ts'
import { FailureFileError, readFailure } from '../../../packages/norn/src/storage/failure-file.ts'
import { chance } from '../../../packages/norn/src/tape/chance.ts'
import { hostileName } from './hostile-names.ts'
import type { HostileProject } from './hostile-project.ts'

/** `inside`: the name leads to a module of the project after all. */
export type Outcome = 'refused' | 'not found' | 'inside' | 'ran'

export interface Checked {
  readonly kind: string
  readonly outcome: Outcome
  /** Whether an evil module runs if nothing is checked. */
  readonly unchecked: boolean
}

class Refused extends Error {}

const [project, seed, cases, template] = JSON.parse(process.argv[2]!) as [HostileProject, number, number, string]
const { root, failures } = project
const importer = join(root, 'importer.mjs')
const evil = globalThis as { evilRan?: number[] }

// Imports what an alias may replace, in every way; reports whether all of it is of the project.
writeFileSync(
  importer,
  `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
export default async (name) => {
  const found = []
  for (const load of [() => import(name), () => require(name), () => import(import.meta.resolve(name)), () => require(require.resolve(name))]) {
    try { const it = await load(); found.push(it.ofProject ?? it.default?.ofProject ?? false) } catch (error) { found.push(error) }
  }
  return found
}
`,
)

const all: Checked[] = []
for (let at = 0; at < cases; at++) all.push(await check(at))
process.send!(all)

async function check(at: number): Promise<Checked> {
  const { kind, alias, file } = hostileName(chance(seed, at), project)
  const path = join(failures, 'hostile.json')
  const saved = JSON.parse(template) as { aliases: unknown; file: string }
  writeFileSync(path, JSON.stringify({ ...saved, ...(alias ? { aliases: [alias] } : { file }) }))
  const outcome = alias === undefined ? await ofFile(path) : await ofAlias(path, alias)
  const unchecked = alias === undefined ? await runsUnchecked(resolve(root, file!)) : await aliasRunsUnchecked(alias)
  return { kind, outcome, unchecked }
}

async function ofFile(path: string): Promise<Outcome> {
  try {
    return await imported(newLoader(new Map()), propertyFile(path, readFailure(path), root))
  } catch (error) {
    return outcomeOf(error)
  }
}

async function ofAlias(path: string, [from, to]: readonly [string, string]): Promise<Outcome> {
  let aliases: ReadonlyMap<string, string>
  let early: Outcome | undefined
  try {
    aliases = new Map(mergeAliases(path, readFailure(path).aliases, [], root).aliases)
  } catch (error) {
    early = outcomeOf(error)
    aliases = unconfined(from, to)
  }
  const loader = newLoader(aliases, [from])
  if (loader.leadingOut(importer).length > 0) early ??= 'refused'
  const late = await replaced(loader, from)
  return late === 'ran' ? late : (early ?? late)
}

/** Imports what an alias replaces. */
async function replaced(loader: Loader, from: string): Promise<Outcome> {
  evil.evilRan = []
  const module = (await loader.instantiate().import(importer)) as { default: (name: string) => Promise<unknown[]> }
  const found = await module.default(from)
  if (evil.evilRan.length > 0 || found.includes(false)) return 'ran'
  if (found.some((each) => each instanceof Refused)) return 'refused'
  return found.includes(true) ? 'inside' : 'not found'
}

async function imported(loader: Loader, path: string): Promise<Outcome> {
  evil.evilRan = []
  try {
    await loader.instantiate().import(path)
  } catch (error) {
    if (evil.evilRan.length === 0) return outcomeOf(error)
  }
  return evil.evilRan.length > 0 ? 'ran' : 'inside'
}

function newLoader(aliases: ReadonlyMap<string, string>, confined: readonly string[] = []): Loader {
  return new Loader({
    shared: new Map(),
    aliases,
    confined: { root, names: new Set(confined) },
    refuse: (what) => {
      throw new Refused(what)
    },
  })
}

function outcomeOf(error: unknown): Outcome {
  return error instanceof Refused || error instanceof FailureFileError ? 'refused' : 'not found'
}

/** What the alias is without a check: a path begins at the root. */
function unconfined(from: string, to: string): ReadonlyMap<string, string> {
  return new Map([[from, /^[./]/.test(to) ? resolve(root, to) : to]])
}

async function aliasRunsUnchecked([from, to]: readonly [string, string]): Promise<boolean> {
  return (await replaced(newLoader(unconfined(from, to)), from)) === 'ran'
}

async function runsUnchecked(path: string): Promise<boolean> {
  return (await imported(newLoader(new Map()), path)) === 'ran'
}
