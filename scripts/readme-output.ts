/**
 * Keeps the output that the README shows true: runs its example and puts what it prints between the two marks.
 *
 * `node scripts/readme-output.ts` rewrites the README; a test holds that nothing is left to rewrite.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(import.meta.dirname, '..')
const README = join(ROOT, 'README.md')
const BLOCK = /(<!-- output:account -->\n)[\s\S]*?(<!-- \/output -->)/

/** The README with the output that its example gives now. */
export async function freshReadme(): Promise<string> {
  const output = await accountOutput()
  return readFileSync(README, 'utf8').replace(
    BLOCK,
    (_, begin, end) => `${begin}\n\`\`\`text\n${output}\n\`\`\`\n\n${end}`,
  )
}

/** What `norn fuzz account.fuzz.ts` prints in the example's folder, as a user of the package sees it. */
async function accountOutput(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-readme-'))
  try {
    cpSync(join(ROOT, 'examples', 'account'), folder, { recursive: true })
    const args = [join(ROOT, 'src', 'cli', 'main.ts'), 'fuzz', 'account.fuzz.ts', '--seed', '1']
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
    const printed = await new Promise<string>((done) => {
      // It finds a failure, so its status is 1 and there is an error to leave alone.
      execFile(process.execPath, args, { cwd: folder, env }, (_, stdout) => done(stdout))
    })
    return printed.replaceAll(/(?:node \S+main\.ts|npm run -s norn --)/g, 'npx norn').trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(README, await freshReadme())
