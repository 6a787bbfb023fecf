/**
 * Exports that no other file uses, and files that nothing reaches: as knip finds them (knip.json).
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Problem } from './sources.ts'

interface Issue {
  readonly file: string
  readonly exports?: readonly { readonly name: string; readonly line: number }[]
  readonly types?: readonly { readonly name: string; readonly line: number }[]
  readonly files?: readonly { readonly name: string }[]
}

/** @throws Error if knip does not answer */
export function unusedExports(root: string): Problem[] {
  const knip = join(root, 'node_modules', 'knip', 'bin', 'knip.js')
  const args = [knip, '--reporter', 'json', '--include', 'files,exports,types', '--no-progress']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  let issues: readonly Issue[]
  try {
    issues = (JSON.parse(stdout) as { issues: readonly Issue[] }).issues
  } catch {
    throw new Error(`knip did not answer: ${stderr || stdout}`)
  }
  return issues.flatMap(({ file, exports = [], types = [], files = [] }) => [
    ...files.map(() => ({ where: file, what: 'nothing uses this file' })),
    ...[...exports, ...types].map(({ name, line }) => ({ where: `${file}:${line}`, what: `${name} is exported` })),
  ])
}
