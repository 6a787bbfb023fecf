/**
 * Tries the packages as their users do: packs them, installs them in empty folders, and runs the
 * first contact of each. It needs the network, so no test runs it.
 *
 * `node scripts/try-packages.ts` prints a line for each trial, and exits 1 if one fails.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** The bug of the example: deposits overwrite each other. */
const DEPOSIT = /async deposit[\s\S]*$/
const FIXED = `#last: Promise<void> = Promise.resolve()

  deposit(amount: number): Promise<void> {
    this.#last = this.#last.then(async () => writeFile(this.#file, String((await this.balance()) + amount)))
    return this.#last
  }
}
`

/** A read that does not see what was written before. */
const STALE = [
  { process: 0, type: 'invoke', f: 'write', value: 1 },
  { process: 0, type: 'ok', f: 'write', value: 1 },
  { process: 0, type: 'invoke', f: 'read', value: null },
  { process: 0, type: 'ok', f: 'read', value: null },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join('')

/** A node of Maelstrom that echoes, and its workload. */
const ECHO = `import { createInterface } from 'node:readline'
for await (const line of createInterface(process.stdin)) {
  const { src, dest, body } = JSON.parse(line)
  const reply = { ...body, type: \`\${body.type}_ok\`, msg_id: 1, in_reply_to: body.msg_id }
  console.log(JSON.stringify({ src: dest, dest: src, body: reply }))
}
`
const ECHO_CLUSTER = `import { cluster } from 'norn/cluster'
import { workload } from 'norn/maelstrom'
cluster('echo', workload('echo', ['node', 'echo.mjs'], { nodes: 2 }))
`

const archives = mkdtempSync(join(tmpdir(), 'norn-archives-'))
const folders = [archives]
try {
  const tla = pack('norn-tla')
  const history = pack('norn-history')
  const norn = ['norn', 'norn-maelstrom', 'norn-fleet'].map(pack)

  const checker = emptyFolder([tla])
  cpSync(join(ROOT, 'models'), checker, { recursive: true })
  trial(checker, ['npx', 'norn-tla', 'check', 'TwoPhaseCommit'], 0, '288 distinct states, 1,146 generated, depth 11')

  const reader = emptyFolder([history])
  writeFileSync(join(reader, 'stale.jsonl'), STALE)
  trial(reader, ['npx', 'norn-history', 'check', 'stale.jsonl', '--model', 'register'], 1, 'no order explains read()')

  const user = emptyFolder([tla, history, ...norn, 'vitest'])
  for (const name of ['account.ts', 'account.fuzz.ts'])
    cpSync(join(ROOT, 'examples', 'account', name), join(user, name))
  cpSync(join(ROOT, 'models'), user, { recursive: true })
  trial(
    user,
    ['npx', 'norn', 'fleet', 'status', '--queue', 'redis://127.0.0.1:1'],
    2,
    'npm install --save-dev bullmq ioredis',
  )
  writeFileSync(join(user, 'echo.mjs'), ECHO)
  writeFileSync(join(user, 'echo.fuzz.ts'), ECHO_CLUSTER)
  trial(user, ['npx', 'norn', 'fuzz', 'echo.fuzz.ts', '--runs', '5'], 0, '5 executions')
  trial(user, ['npx', 'norn', 'tla', 'check', 'TwoPhaseCommit'], 0, '288 distinct states')
  writeFileSync(join(user, 'stale.jsonl'), STALE)
  trial(user, ['npx', 'norn', 'history', 'check', 'stale.jsonl', '--model', 'register'], 1, 'no order explains read()')
  cpSync(join(ROOT, 'examples', 'cache'), join(user, 'cache'), { recursive: true })
  trial(user, ['npx', 'norn', 'fuzz', 'cache/cache.fuzz.ts', '--seed', '1'], 1, 'HistoryViolation: the history is not')
  trial(user, ['npx', 'norn', 'fuzz', 'account.fuzz.ts', '--seed', '1'], 1, 'deposits are never lost')
  writeFileSync(join(user, 'account.test.ts'), testOfTheDocs())
  trial(user, ['npx', 'vitest', 'run'], 1, 'deposits are never lost')
  writeFileSync(
    join(user, 'account.ts'),
    readFileSync(join(user, 'account.ts'), 'utf8').replace(DEPOSIT, () => FIXED),
  )
  trial(user, ['npx', 'vitest', 'run'], 0, '1 passed')
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** The path of a package's archive. */
function pack(name: string): string {
  const args = ['pack', '--silent', '--workspace', name, '--pack-destination', archives]
  const printed = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })
  return join(archives, printed.trim().split('\n').at(-1)!)
}

/** A folder of a project in which some packages are installed. */
function emptyFolder(packages: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'norn-try-'))
  folders.push(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  })
  return folder
}

function trial(folder: string, [command = '', ...args]: readonly string[], status: number, expected: string): void {
  const path = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`
  const ran = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
  })
  const printed = ran.stdout + ran.stderr
  const passed = ran.status === status && printed.includes(expected)
  console.log(`${passed ? '✓' : '✗'} ${[command, ...args].join(' ')}: status ${ran.status}`)
  if (passed) return
  console.log(`expected status ${status}, and "${expected}" in:\n${printed}`)
  process.exitCode = 1
}

/** The test for vitest that the documentation shows. */
function testOfTheDocs(): string {
  const page = readFileSync(join(ROOT, 'docs', 'ci.md'), 'utf8')
  return /```ts\n\/\/ account\.test\.ts\n([\s\S]*?)```/.exec(page)![1]!
}
