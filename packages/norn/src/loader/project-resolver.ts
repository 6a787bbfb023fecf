/**
 * Resolves what Node cannot, as TypeScript and bundlers do, by Oxc's resolver: paths without
 * extension, folders, `.js` that means `.ts`, `paths` and `baseUrl` of tsconfig.json, and the aliases of
 * Vite and jest.
 *
 * Invariant: asked only after Node's resolver has failed, and for modules of the project, so what
 * Node resolves is what runs. It sees the disk, not what an execution has written (see resolve.ts).
 */
import { fileURLToPath } from 'node:url'
import type { ResolverFactory } from 'oxc-resolver'
import { aliasedBy, configuredAliases } from './configured-aliases.ts'
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
export function resolveInProject(kind: Kind, specifier: string, importer: string): Found | undefined {
  if (isNodesAlone(importer)) return undefined
  const folder = folderOf(importer)
  const asked = specifier.startsWith('file:') ? fileURLToPath(specifier) + new URL(specifier).search : specifier
  const [, path = '', search = ''] = /^(.[^?]*)(.*)$/s.exec(asked) ?? []
  const aliased = configuredAliases(folder).known.flatMap((each) => aliasedBy(each, path) ?? [])
  const factory = factoryFor(kind, importer)
  for (const each of [...aliased, path]) {
    const found = factory.sync(folder, each).path
    if (found !== undefined) return { path: found, search }
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

function factoryFor(kind: Kind, importer: string): ResolverFactory {
  const configFile = configFileOf(importer)
  const key = `${kind} ${configFile}`
  let factory = factories.get(key)
  if (factory === undefined) {
    const { ResolverFactory } = hostRequire('oxc-resolver') as typeof import('oxc-resolver')
    const given = requireInternal('internal/options').getOptionValue('--conditions') as string[]
    factory = new ResolverFactory({
      conditionNames: ['node', kind, 'module-sync', 'node-addons', ...given],
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
