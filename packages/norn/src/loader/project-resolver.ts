/**
 * Resolves what Node cannot, as TypeScript and bundlers do, by Oxc's resolver: paths without
 * extension, folders, `.js` that means `.ts`, `paths` and `baseUrl` of tsconfig.json, and the aliases of
 * Vite and jest, with the conditions of Vite.
 *
 * Invariant: asked only after Node's resolver has failed, and for modules of the project, so what
 * Node resolves is what runs; but what jest maps is asked for first, as in jest. It sees the disk,
 * not what an execution has written (see resolve.ts).
 */
import { fileURLToPath } from 'node:url'
import type { ResolverFactory } from 'oxc-resolver'
import { aliasedBy, configuredAliases, type RunningProject } from './configured-aliases.ts'
import { hostRequire, requireInternal } from './internals.ts'
import { isTypeScript } from './javascript.ts'
import { folderOf, isData } from './paths.ts'
import { tsconfigOf } from './tsconfig.ts'

/** A file, with the `?query` of its import. */
interface Found {
  readonly path: string
  readonly search: string
}

type Kind = 'import' | 'require'

const factories = new Map<string, ResolverFactory>()

/** Where Node's resolver fails for an importer, what this one finds. */
export function resolveInProject(
  kind: Kind,
  specifier: string,
  importer: string,
  project: RunningProject | undefined,
): Found | undefined {
  if (isNodesAlone(importer)) return undefined
  return found(kind, specifier, importer, project, false)
}

/** What the mapping of jest puts in the place of a module, also of one that Node would find. */
export function mappedInProject(
  kind: Kind,
  specifier: string,
  importer: string,
  project: RunningProject | undefined,
): Found | undefined {
  return isData(importer) || importer.includes('/node_modules/')
    ? undefined
    : found(kind, specifier, importer, project, true)
}

function found(
  kind: Kind,
  specifier: string,
  importer: string,
  project: RunningProject | undefined,
  isFirst: boolean,
): Found | undefined {
  const folder = folderOf(importer)
  const { known, conditions } = configuredAliases(folder, project)
  if (isFirst && !known.some((each) => each.isFirst)) return undefined
  const asked = specifier.startsWith('file:') ? fileURLToPath(specifier) + new URL(specifier).search : specifier
  const [, path = '', search = ''] = /^(.[^?]*)(.*)$/s.exec(asked) ?? []
  const aliased = known.filter((each) => each.isFirst || !isFirst).flatMap((each) => aliasedBy(each, path) ?? [])
  const factory = factoryFor(kind, importer, conditions)
  for (const each of isFirst ? aliased : [...aliased, path]) {
    const place = factory.sync(folder, each).path
    if (place !== undefined) return { path: place, search }
  }
  return undefined
}

/** Whether a module is written for Node: its name says so, or it is of a published package. */
function isNodesAlone(importer: string): boolean {
  return (
    isData(importer) || /\.[mc]js$/.test(importer) || (importer.includes('/node_modules/') && !isTypeScript(importer))
  )
}

function configFileOf(importer: string): string | undefined {
  try {
    return tsconfigOf(importer)?.path
  } catch {
    return undefined // An import that nothing resolves is reported with the reason.
  }
}

function factoryFor(kind: Kind, importer: string, conditions: readonly string[]): ResolverFactory {
  const configFile = configFileOf(importer)
  const key = JSON.stringify([kind, configFile, conditions])
  let factory = factories.get(key)
  if (factory === undefined) {
    const { ResolverFactory } = hostRequire('oxc-resolver') as typeof import('oxc-resolver')
    const given = requireInternal('internal/options').getOptionValue('--conditions') as string[]
    factory = new ResolverFactory({
      conditionNames: ['node', kind, 'module-sync', 'node-addons', ...given, ...conditions],
      // As Vite has them: what Node finds comes first.
      extensions: ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.cjs', '.cts', '.json'],
      extensionAlias: {
        '.js': ['.js', '.ts', '.tsx', '.jsx'],
        '.jsx': ['.jsx', '.tsx'],
        '.mjs': ['.mjs', '.mts'],
        '.cjs': ['.cjs', '.cts'],
      },
      ...(configFile === undefined ? {} : { tsconfig: { configFile } }),
    })
    factories.set(key, factory)
  }
  return factory
}
