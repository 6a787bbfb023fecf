/**
 * Tries norn-tla as a web page would: packs it, installs it in an empty folder, bundles it for
 * browsers with esbuild, and checks models/TwoPhaseCommit.tla in headless Chromium. Also runs the
 * command `norn-tla` of the packed package.
 *
 * Needs the network, and `chromium` (or CHROMIUM=path); `--install` installs Debian's. Exits 1
 * unless the counts are right.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const { CHROMIUM = 'chromium' } = process.env
const EXPECTED = '288 distinct, 1146 generated, depth 11'
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const model = (name: string) => readFileSync(join(ROOT, 'models', name), 'utf8')

if (spawnSync(CHROMIUM, ['--version']).error !== undefined) {
  if (!process.argv.includes('--install')) {
    console.error(`there is no ${CHROMIUM}: install it, or pass --install`)
    process.exit(2)
  }
  execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'inherit' })
}

const folder = mkdtempSync(join(tmpdir(), 'norn-tla-try-'))
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const packed = ['pack', '--silent', '-w', 'norn-tla', '--pack-destination', folder]
  const archive = execFileSync('npm', packed, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n').at(-1)!
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  run('npm', 'install', '--no-audit', '--no-fund', `./${archive}`, 'esbuild')

  const texts = {
    module: model('TwoPhaseCommit.tla'),
    modules: { Transaction: model('Transaction.tla') },
    configuration: model('TwoPhaseCommit.cfg'),
  }
  writeFileSync(
    join(folder, 'page.js'),
    `import { checkSpecification } from 'norn-tla'
const { result, distinct, generated, depth } = checkSpecification(${JSON.stringify(texts)})
document.body.textContent = \`\${result}: \${distinct} distinct, \${generated} generated, depth \${depth}\`
`,
  )
  run('npx', 'esbuild', 'page.js', '--bundle', '--platform=browser', '--minify', '--outfile=bundle.js')
  const script = readFileSync(join(folder, 'bundle.js'), 'utf8').replaceAll('</script', '<\\/script')
  writeFileSync(
    join(folder, 'page.html'),
    `<!doctype html><meta charset="utf-8"><body></body><script>${script}</script>`,
  )
  const profile = join(folder, 'profile')
  const page = `file://${join(folder, 'page.html')}`
  // Chromium prints errors about the missing desktop.
  const dom = spawnSync(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, '--dump-dom', page], {
    encoding: 'utf8',
  }).stdout
  const shown = /<body>(.*?)</.exec(dom)?.[1] ?? dom
  console.log(`in Chromium, ${Math.round(script.length / 1024)} KB: ${shown}`)

  for (const name of ['TwoPhaseCommit.tla', 'TwoPhaseCommit.cfg', 'Transaction.tla']) {
    writeFileSync(join(folder, name), model(name))
  }
  const command = run('npx', 'norn-tla', 'check', 'TwoPhaseCommit')
  console.log(`norn-tla check: ${command.trim()}`)
  process.exitCode =
    shown === `passed: ${EXPECTED}` && command.includes('288 distinct states, 1,146 generated, depth 11') ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
