/**
 * Tries norn-tla and norn-history as a web page would: packs them, installs them in an empty folder,
 * bundles them for browsers with esbuild, and in headless Chromium checks models/TwoPhaseCommit.tla,
 * and a history with a stale read. Also runs the command `norn-tla` of the packed package.
 *
 * Needs the network, and `chromium` (or CHROMIUM=path); `--install` installs Debian's. Exits 1
 * unless the counts and the verdict are right.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const { CHROMIUM = 'chromium' } = process.env
const model = (name: string) => readFileSync(join(ROOT, 'models', name), 'utf8')

const texts = {
  module: model('TwoPhaseCommit.tla'),
  modules: { Transaction: model('Transaction.tla') },
  configuration: model('TwoPhaseCommit.cfg'),
}

const STALE = [
  { process: 0, type: 'invoke', f: 'write', value: 1 },
  { process: 0, type: 'ok', f: 'write', value: 1 },
  { process: 1, type: 'invoke', f: 'read', value: null },
  { process: 1, type: 'ok', f: 'read', value: null },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join('')

/** Modules that set `shown`, and what it has to be. */
const PAGES = [
  {
    name: 'norn-tla',
    module: `import { checkSpecification } from 'norn-tla'
const { result, distinct, generated, depth } = checkSpecification(${JSON.stringify(texts)})
const shown = \`\${result}: \${distinct} distinct, \${generated} generated, depth \${depth}\``,
    expected: 'passed: 288 distinct, 1146 generated, depth 11',
  },
  {
    name: 'norn-history',
    module: `import { checkLinearizable, historyPage, MODELS, parseHistory, readingFor } from 'norn-history'
const history = parseHistory(${JSON.stringify(STALE)}, readingFor('register'))
const result = checkLinearizable(history, MODELS.register)
const page = new DOMParser().parseFromString(historyPage(result, history, { asked: 'linearizable' }), 'text/html')
const shown = \`\${result.verdict}: \${result.longest[0].length} of \${history.operations.length}; \${page.querySelector('h1').textContent}\``,
    expected: 'illegal: 1 of 2; History not linearizable',
  },
]

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

if (spawnSync(CHROMIUM, ['--version']).error !== undefined) {
  if (!process.argv.includes('--install')) {
    console.error(`there is no ${CHROMIUM}: install it, or pass --install`)
    process.exit(2)
  }
  execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'inherit' })
}

const folder = mkdtempSync(join(tmpdir(), 'norn-try-browser-'))
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

function pack(name: string): string {
  const packed = ['pack', '--silent', '-w', name, '--pack-destination', folder]
  return `./${execFileSync('npm', packed, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n').at(-1)}`
}

/** The text of a page that runs a module. */
function shownBy(name: string, module: string): string {
  writeFileSync(join(folder, `${name}.js`), `${module}\ndocument.body.textContent = shown\n`)
  run('npx', 'esbuild', `${name}.js`, '--bundle', '--platform=browser', '--minify', `--outfile=${name}.bundle.js`)
  const script = readFileSync(join(folder, `${name}.bundle.js`), 'utf8').replaceAll('</script', '<\\/script')
  const page = join(folder, `${name}.html`)
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><body></body><script>${script}</script>`)
  const profile = join(folder, 'profile')
  // Chromium prints errors about the missing desktop.
  const dom = spawnSync(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, '--dump-dom', `file://${page}`], {
    encoding: 'utf8',
  }).stdout
  const shown = /<body>(.*?)</.exec(dom)?.[1] ?? dom
  console.log(`${name} in Chromium, ${Math.round(script.length / 1024)} KB: ${shown}`)
  return shown
}

try {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  run('npm', 'install', '--no-audit', '--no-fund', ...PAGES.map(({ name }) => pack(name)), 'esbuild')
  const wrong = PAGES.filter(({ name, module, expected }) => shownBy(name, module) !== expected)

  for (const name of ['TwoPhaseCommit.tla', 'TwoPhaseCommit.cfg', 'Transaction.tla']) {
    writeFileSync(join(folder, name), model(name))
  }
  const command = run('npx', 'norn-tla', 'check', 'TwoPhaseCommit')
  console.log(`norn-tla check: ${command.trim()}`)
  const isRight = wrong.length === 0 && command.includes('288 distinct states, 1,146 generated, depth 11')
  process.exitCode = isRight ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
