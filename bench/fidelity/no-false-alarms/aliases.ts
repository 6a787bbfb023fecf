/**
 * The aliases that replace `suite-under-test` by a test file, and its framework by our adapter.
 */
import { fileURLToPath } from 'node:url'

const FRAMEWORKS: Readonly<Record<string, string>> = {
  ava: 'ava',
  mocha: 'mocha',
  'node:test': 'node-test',
  tap: 'tap',
  tape: 'tape',
}

export const SUITE = fileURLToPath(new URL('./suite.fuzz.ts', import.meta.url))

export function aliasesFor(path: string): [string, string][] {
  const adapters = Object.entries(FRAMEWORKS).map(([framework, adapter]): [string, string] => [
    framework,
    fileURLToPath(new URL(`./adapters/${adapter}.ts`, import.meta.url)),
  ])
  return [['suite-under-test', path], ...adapters]
}
