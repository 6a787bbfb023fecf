/**
 * Tries the package as somebody would who reads the README: packs it, installs it with vitest in an empty folder, and runs
 * the README's test there before and after the fix. Needs the network, so no test does it.
 *
 * `node scripts/try-package.ts` prints what vitest prints, and exits 1 unless the first run fails and the second passes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** Where the fix begins: deposits overwrite each other. */
const DEPOSIT = /async deposit[\s\S]*$/
const FIXED = `#last: Promise<void> = Promise.resolve()

  deposit(amount: number): Promise<void> {
    this.#last = this.#last.then(async () => writeFile(this.#file, String((await this.balance()) + amount)))
    return this.#last
  }
}
`

const folder = mkdtempSync(join(tmpdir(), 'norn-try-'))
try {
  const packing = { cwd: ROOT, encoding: 'utf8' } as const
  const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], packing)
    .trim()
    .split('\n')
    .at(-1)!
  const readme = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8')
  const account = readFileSync(join(ROOT, 'examples/account/account.ts'), 'utf8')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  writeFileSync(join(folder, 'account.test.ts'), /```ts\n\/\/ account\.test\.ts\n([\s\S]*?)```/.exec(readme)![1]!)
  writeFileSync(join(folder, 'account.ts'), account)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '-D', `./${archive}`, 'vitest'], {
    cwd: folder,
    stdio: 'inherit',
  })
  const run = () => spawnSync('npx', ['vitest', 'run'], { cwd: folder, stdio: 'inherit' }).status
  const before = run()
  writeFileSync(join(folder, 'account.ts'), account.replace(DEPOSIT, FIXED))
  const after = run()
  console.log(`before the fix: status ${before}; after it: status ${after}`)
  process.exitCode = before === 1 && after === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
