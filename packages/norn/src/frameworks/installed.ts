/**
 * Assertions and mocks of the user's project, which test files use unchanged. The test runners of
 * these packages are not used.
 *
 * Node loads them once, outside of executions, and all executions share them, because loading takes
 * longer than most executions. Invariant: `expect` is the project's own version, so assertions
 * behave and report as in the project's test runner.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hostRequire } from '../loader/internals.ts'
import { nodeModulePaths, resolveImport, resolveRequire } from '../loader/node-internals.ts'

export type Exports = Record<string, unknown>

/** The exports of a package, resolved from a file; undefined if it cannot be loaded. */
export function installed(specifier: string, from: string): Exports | undefined {
  const path = placeOf(specifier, from)
  if (path === undefined) return undefined
  try {
    return hostRequire(path) as Exports
  } catch {
    return undefined
  }
}

/** The path of a package's main file, resolved from a file; undefined if it is not installed. */
export function placeOf(specifier: string, from: string): string | undefined {
  try {
    return fileURLToPath(resolveImport(specifier, { parentURL: pathToFileURL(from).href }).url)
  } catch {
    try {
      const asking = { id: from, filename: from, paths: nodeModulePaths(dirname(from)) }
      return resolveRequire(specifier, asking, false)
    } catch {
      return undefined
    }
  }
}

/** A package that may be installed only as a dependency of others (pnpm hides those). */
export function installedThrough(specifier: string, through: readonly string[], from: string): Exports | undefined {
  const direct = installed(specifier, from)
  if (direct !== undefined) return direct
  for (const carrier of carriers(through, from)) {
    const found = installed(specifier, carrier)
    if (found !== undefined) return found
  }
  return undefined
}

/** As `placeOf`, of a package that may be installed only as a dependency of others. */
export function placeThrough(specifier: string, through: readonly string[], from: string): string | undefined {
  return [from, ...carriers(through, from)].map((each) => placeOf(specifier, each)).find((place) => place !== undefined)
}

function carriers(through: readonly string[], from: string): readonly string[] {
  return through.flatMap((each) => placeOf(join(each, 'package.json'), from) ?? placeOf(each, from) ?? [])
}

export type Callable = ((...args: unknown[]) => unknown) & Record<string, unknown>

/** Replaces an `expect` that is not installed: throws when used. */
export function missingExpect(packages: string): Callable {
  const refuse = (): never => {
    throw new Error(`expect is not available: install ${packages} in this project, or assert with node:assert`)
  }
  return new Proxy(refuse as unknown as Callable, { get: refuse, apply: refuse })
}
