/** What `norn init` sees of a repository by itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonFault } from '#shared/json-fault'
import { UsageError } from '../exit-status.ts'

export interface Repository {
  readonly root: string
  readonly isTypeScript: boolean
  /** Whether its `.js` files are ES modules. */
  readonly isModule: boolean
  readonly manager: Manager
}

/** A package manager, as a workflow calls it. */
export interface Manager {
  readonly name: 'npm' | 'pnpm' | 'yarn'
  readonly install: string
  /** What runs the command of a package. */
  readonly run: string
  /** Whether its lockfile is there: only then can downloads be cached. */
  readonly isLocked: boolean
}

const MANAGERS = [
  { name: 'pnpm', lockfile: 'pnpm-lock.yaml', install: 'pnpm install --frozen-lockfile', run: 'pnpm exec' },
  { name: 'yarn', lockfile: 'yarn.lock', install: 'yarn install --frozen-lockfile', run: 'yarn' },
  { name: 'npm', lockfile: 'package-lock.json', install: 'npm ci', run: 'npx' },
] as const

/** @throws UsageError if the folder has no package.json that can be read */
export function repositoryAt(root: string): Repository {
  const path = join(root, 'package.json')
  if (!existsSync(path))
    throw new UsageError('no package.json in this folder. Call norn init where it is, or `npm init -y` first')
  const manifest = manifestAt(path)
  const dependencies = { ...(manifest.dependencies as object), ...(manifest.devDependencies as object) }
  return {
    root,
    isTypeScript: existsSync(join(root, 'tsconfig.json')) || 'typescript' in dependencies,
    isModule: manifest.type === 'module',
    manager: managerOf(root),
  }
}

function manifestAt(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw new UsageError(`package.json: ${jsonFault(error)}`)
  }
}

function managerOf(root: string): Manager {
  for (const { name, lockfile, install, run } of MANAGERS)
    if (existsSync(join(root, lockfile))) return { name, install, run, isLocked: true }
  return { name: 'npm', install: 'npm install', run: 'npx', isLocked: false }
}
