#!/usr/bin/env node
/**
 * The command `norn`. Plain JavaScript without imports that an old Node lacks, so that an old Node gets one clear line.
 *
 * Installed, it runs what was compiled. In norn's own repository it runs the sources, under the condition that resolves
 * the packages to them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MINIMUM = [22, 15]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(
    `norn needs Node ${MINIMUM.join('.')} or later; this is Node ${process.versions.node}.\nInstall one (nvm install 24), or call: npx --package node@24 --package norn norn ${process.argv.slice(2).join(' ')}`,
  )
  process.exit(2)
}

const source = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
if (existsSync(source)) {
  const args = ['--conditions=norn-source', source, ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  process.exitCode = status ?? 3
} else {
  await import('../dist/cli/main.js')
}
