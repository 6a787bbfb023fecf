/**
 * Installs the packages of the suite beside its subjects. They take 350 MB and a minute, so they are no
 * dependencies of the repository.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../subjects/reach')

/** Does nothing if what is installed matches the lockfile. @throws Error if npm fails */
export function installPackages(): void {
  if (isInstalled()) return
  console.error('reach: installing the packages of bench/subjects/reach (350 MB, once)')
  // As the lockfile says, like `npm ci`, which refuses lockfiles without the optional packages that a
  // registry does not have.
  const { status } = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`npm install failed in ${FOLDER}: run it there to see why`)
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: true }>>
}

/** npm writes what it installed beside the packages; optional ones may be for other platforms. */
function isInstalled(): boolean {
  const installed = join(FOLDER, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  const there = (JSON.parse(readFileSync(installed, 'utf8')) as Lock).packages
  const wanted = (JSON.parse(readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')) as Lock).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || there[path]?.version === version,
  )
}
