/**
 * The tsconfig.json of a source file, or the jsconfig.json, with what it extends: the nearest one
 * above the file, whatever its `include` says, because files of properties are often left out of it.
 * Of a file that only has references, the reference that includes the file, or else the first.
 */
import { dirname, resolve } from 'node:path'
import type { TsConfigJsonResolved, TsConfigResult } from 'get-tsconfig'
import { hostRequire } from './internals.ts'

export type CompilerOptions = NonNullable<TsConfigJsonResolved['compilerOptions']>

/** Finds the options of a source file. */
export type OptionsOf = (file: string) => CompilerOptions

const cache = new Map()
const byFolder = new Map<string, TsConfigResult | undefined>()

/** Loaded at first use: most programs need no configuration. */
const reader = (): typeof import('get-tsconfig') => hostRequire('get-tsconfig')

/** @throws Error that names the file, if it extends one that is missing */
export function tsconfigOf(file: string): TsConfigResult | undefined {
  const folder = dirname(file)
  if (!byFolder.has(folder)) byFolder.set(folder, nearest(folder))
  const found = byFolder.get(folder)
  const { files, references = [] } = found?.config ?? {}
  if (found === undefined || references.length === 0 || files?.length !== 0) return found
  const referred = references.map((each) => parsed(resolve(dirname(found.path), each.path)))
  return referred.find((each) => reader().createFilesMatcher(each)(file) !== undefined) ?? referred[0]
}

export function compilerOptionsOf(file: string): CompilerOptions {
  return tsconfigOf(file)?.config.compilerOptions ?? {}
}

/** The paths to which `paths` and `baseUrl` map a specifier, in order. */
export function mappedPaths(specifier: string, file: string): readonly string[] {
  const found = tsconfigOf(file)
  return (found && reader().createPathsMatcher(found)?.(specifier)) ?? []
}

function nearest(folder: string): TsConfigResult | undefined {
  try {
    const { getTsconfig } = reader()
    return getTsconfig(folder, 'tsconfig.json', cache) ?? getTsconfig(folder, 'jsconfig.json', cache) ?? undefined
  } catch (error) {
    throw new Error(`cannot read the tsconfig.json above ${folder}: ${(error as Error).message}`)
  }
}

function parsed(path: string): TsConfigResult {
  const file = path.endsWith('.json') ? path : resolve(path, 'tsconfig.json')
  try {
    return { path: file, config: reader().parseTsconfig(file, cache) }
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`)
  }
}
