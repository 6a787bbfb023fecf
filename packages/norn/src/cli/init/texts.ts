/** The files that `norn init` writes. */
import { basename, extname } from 'node:path'
import type { Manager, Repository } from './repository.ts'

const PACKAGE = 'norn'

/** The path of the property beside a module. */
export function propertyPath(path: string, { isTypeScript, isModule }: Repository): string {
  const stem = path.slice(0, -extname(path).length)
  return `${stem}.fuzz.${isTypeScript ? 'ts' : isModule ? 'js' : 'mjs'}`
}

export function propertyText(path: string): string {
  const name = basename(path, extname(path))
  const specifier = `./${basename(path)
    .replace(/\.([cm]?)tsx?$/, '.$1js')
    .replace(/\.jsx$/, '.js')}`
  return `import assert from 'node:assert/strict'
import { fuzz } from '${PACKAGE}'
import * as subject from '${specifier}'

// Norn runs this body again and again, and decides what comes first: timers, files, sockets, threads.
// It checks so far that the module loads, and leaves nothing behind. Say instead what has to hold when
// callers come at once, such as:
//
//   fuzz('no deposit is lost', { amounts: fc.array(fc.nat()) }, async ({ amounts }) => {
//     const account = await open()
//     await Promise.all(amounts.map((amount) => account.deposit(amount)))
//     assert.equal(await account.balance(), sum(amounts))
//   })
//
// node_modules/norn/docs/getting-started.md has the way from here.
fuzz('${name} loads', {}, () => {
  assert.notEqual(Object.keys(subject).length, 0)
})
`
}

export const CONFIGURATION = `import { defineConfig } from '${PACKAGE}'

// Defaults of all properties; node_modules/norn/docs/reference.md lists the others.
export default defineConfig({
  // Of each property; \`norn fuzz --time 5m\` shares five minutes among all.
  timeMs: 10_000,
})
`

export function workflowText({ name, install, run, isLocked }: Manager): string {
  const setUp = name === 'pnpm' ? '      - uses: pnpm/action-setup@v4\n' : ''
  const cache = isLocked ? `\n          cache: ${name}` : ''
  return `name: norn
on: [push, pull_request]
permissions:
  contents: read
  security-events: write
jobs:
  fuzz:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
${setUp}      - uses: actions/setup-node@v4
        with:
          node-version: 24${cache}
      - run: ${install}
      - uses: actions/cache@v4
        with:
          path: .norn/corpus
          key: norn-corpus-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: norn-corpus-
      - run: ${run} norn fuzz --time 2m --junit norn.xml --sarif norn.sarif
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: norn
          include-hidden-files: true
          path: |
            .norn/failures
            norn.xml
      - uses: github/codeql-action/upload-sarif@v3
        if: always()
        with:
          sarif_file: norn.sarif
`
}
