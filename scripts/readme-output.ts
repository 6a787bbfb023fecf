/**
 * Keeps the output that the README shows true: runs its examples and puts what they print between their marks.
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
/** Each example has a folder of its name under examples/, and a file of its name in it. */
const BLOCK = /(<!-- output:(\w+) -->\n)[\s\S]*?(<!-- \/output -->)/g

/** The README with the output that its examples give now. */
export async function freshReadme(): Promise<string> {
  const readme = readFileSync(README, 'utf8')
  const outputs = new Map<string, string>()
  for (const [, , name = ''] of readme.matchAll(BLOCK)) outputs.set(name, await outputOf(name))
  return readme.replaceAll(
    BLOCK,
    (_, begin, name, end) => `${begin}\n\`\`\`text\n${outputs.get(name)}\n\`\`\`\n\n${end}`,
  )
}

/** Commands of another length have their purposes in another column. */
function aligned(printed: string): string {
  const split = printed.split('\n').map((line) => line.split(/ {2,}(?=# )/))
  const width = Math.max(...split.map(([command = '', purpose]) => (purpose === undefined ? 0 : command.length)))
  const columns = ([command = '', purpose]: string[]) =>
    purpose === undefined ? command : `${command.padEnd(width)}  ${purpose}`
  return split.map(columns).join('\n')
}

/** What `norn fuzz NAME.fuzz.ts` prints in the example's folder, as a user of the package sees it. */
async function outputOf(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-readme-'))
  try {
    cpSync(join(ROOT, 'examples', name), folder, { recursive: true })
    const args = [join(ROOT, 'packages', 'norn', 'src', 'cli', 'main.ts'), 'fuzz', `${name}.fuzz.ts`, '--seed', '1']
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
    const printed = await new Promise<string>((done) => {
      // It finds a failure, so its status is 1 and there is an error to leave alone.
      execFile(process.execPath, args, { cwd: folder, env }, (_, stdout) => done(stdout))
    })
    return aligned(printed.replaceAll(/(?:node \S+main\.ts|npm run -s norn --)/g, 'npx norn').trim())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(README, await freshReadme())
