/**
 * Installs packages beside the subjects that use them. They are no dependencies of the repository: those of
 * reach take 350 MB and a minute.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './subjects/catalogue.ts'

/** Does nothing if what is installed matches the lockfile. @throws Error if npm fails */
export function installPackages(folder: string): void {
  if (isInstalled(folder)) return
  console.error(`installing the packages of ${relative(ROOT, folder)} (once)`)
  // As the lockfile says, like `npm ci`, which refuses lockfiles without the optional packages that a
  // registry does not have.
  const { status } = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`npm install failed in ${folder}: run it there to see why`)
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: true }>>
}

/** npm writes what it installed beside the packages; optional ones may be for other platforms. */
function isInstalled(folder: string): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  const there = (JSON.parse(readFileSync(installed, 'utf8')) as Lock).packages
  const wanted = (JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || there[path]?.version === version,
  )
}
