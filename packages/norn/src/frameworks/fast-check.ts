/**
 * The fast-check of a project, of major version 2, 3 or 4: a module gets the copy that Node resolves
 * for it, or norn's own where none is installed.
 *
 * Node loads a copy once, outside of executions, and all executions share it, as they share norn's
 * own: loading takes longer than most executions.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import own from 'fast-check'
import { hostRequire } from '../loader/internals.ts'
import { realFiles } from '../loader/real-files.ts'
import type { FastCheck } from '../property/fast-check/copies.ts'
import { type FastCheckModule, fastCheckModule } from '../property/fast-check/module.ts'
import { placeOf } from './installed.ts'

const MAJORS = [2, 3, 4]

/** fast-check, or a copy that is installed under a name such as `fast-check-2`. */
const NAME = /^fast-check[\w.-]*$/

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
}

/** What a module gets for `fast-check`, and a name that is unique for the copy. */
export interface ProjectFastCheck {
  readonly name: string
  readonly exports: FastCheckModule
}

const byFolder = new Map<string, ProjectFastCheck>()
const OWN_FOLDER = packageAt(realFiles.realPath(fileURLToPath(import.meta.resolve('fast-check'))))?.folder

/**
 * The copy that a specifier leads to; undefined if it leads to something else, or to nothing.
 *
 * @param importer absolute path of the importing module
 * @throws Error if the version is not supported, or if a package.json asks for one and none is installed
 */
export function projectFastCheck(specifier: string, importer: string): ProjectFastCheck | undefined {
  if (!NAME.test(specifier)) return undefined
  const place = placeOf(specifier, importer)
  if (place === undefined) refuseIfDeclared(specifier, importer)
  const found = place === undefined ? undefined : packageAt(realFiles.realPath(place))
  if (found?.name !== 'fast-check') return undefined
  let made = byFolder.get(found.folder)
  if (made === undefined) byFolder.set(found.folder, (made = { name: found.folder, exports: loaded(found) }))
  return made
}

function loaded({ folder, version }: Package): FastCheckModule {
  if (folder === OWN_FOLDER) return fastCheckModule(own)
  if (!MAJORS.includes(Number.parseInt(version, 10))) {
    throw new Error(
      `fast-check ${version} is not supported (${folder}): install fast-check 2, 3 or 4 in this project; norn runs its tests with the version that it has`,
    )
  }
  const exports = hostRequire(folder) as FastCheck & { readonly default?: FastCheck }
  return fastCheckModule(exports.default ?? exports)
}

/** Norn's own must not take the place of a version that the project asks for. */
function refuseIfDeclared(specifier: string, importer: string): void {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    const package_ = readPackage(path)
    const asked = DEPENDENCIES.map((kind) => (package_[kind] as Record<string, string> | undefined)?.[specifier])
    const version = asked.find((each) => each !== undefined)
    if (version !== undefined)
      throw new Error(
        `${specifier} ${version} is not installed, but ${path} asks for it: npm install, so that norn runs its tests with the version that they have`,
      )
    if (folder === dirname(folder)) return
  }
}

/** Empty where there is none that can be read. */
function readPackage(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/** The package of a file: the nearest folder with a package.json that has a version. */
function packageAt(file: string): Package | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { name, version } = readPackage(join(folder, 'package.json')) as Partial<Package>
    if (name !== undefined && version !== undefined) return { folder, name, version }
    if (folder === dirname(folder)) return undefined
  }
}
