/**
 * Keeps the output shown in README.md and docs/ true: runs each quoted command and writes its
 * output between the marks.
 *
 *     <!-- output:account fuzz account.fuzz.ts --seed 1 -->  runs `norn fuzz …` in a copy of examples/account
 *     <!-- output:. fuzz greeting.fuzz.ts --seed 1 -->       runs it in a folder of the page's own code blocks
 *     <!-- output:… fuzz … | ms 0.30-0.47 -->                cuts the output behind the paragraph that begins with
 *                                                            `ms`, and its diagram to the rows at 0.30 to 0.47 ms
 *
 * `node -C norn-source scripts/readme-output.ts` rewrites the pages; test/docs.slow.test.ts fails if
 * a page would change.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(import.meta.dirname, '..')
const MAIN = join(ROOT, 'packages/norn/src/cli/main.ts')
const OUTPUT = /(<!-- output:(\S+) (.+?)(?: \| (.+?))? -->\n)[\s\S]*?(<!-- \/output -->)/g

/** A code block that begins with a comment holding the name of its file. */
const NAMED_BLOCK = /```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)```/g

/** The pages with output, relative to the repository's root. */
export function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  const examples = ['http-race', 'cache', 'quorum-register'].map((name) => `examples/${name}/README.md`)
  return ['README.md', 'packages/norn/README.md', ...examples, ...docs.sort().map((name) => `docs/${name}`)]
}

/** The text of a page with the output that its commands print now. */
export async function fresh(page: string): Promise<string> {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const outputs = new Map<string, string>()
  for (const [, mark = '', example = '', command = '', excerpt] of text.matchAll(OUTPUT)) {
    const printed = await outputOf(text, example, command)
    outputs.set(mark, excerpt === undefined ? printed : shortened(printed, excerpt))
  }
  return text.replaceAll(OUTPUT, (_, mark, _example, _command, _excerpt, end) => {
    return `${mark}\`\`\`text\n${outputs.get(mark)}\n\`\`\`\n${end}`
  })
}

/** The named code blocks of a page, by file name. */
export function namedBlocks(text: string): [name: string, code: string][] {
  return [...text.matchAll(NAMED_BLOCK)].map(([, name = '', code = '']) => [name, code])
}

async function outputOf(page: string, example: string, command: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-readme-'))
  try {
    for (const [name, code] of example === '.' ? namedBlocks(page) : []) writeFileSync(join(folder, name), code)
    if (example !== '.') cpSync(join(ROOT, 'examples', example), folder, { recursive: true })
    // Examples may use packages.
    if (example !== '.') symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const { CI: _, ...environment } = process.env
    const env = { ...environment, NO_COLOR: '1', FORCE_COLOR: undefined }
    const args = ['--conditions=norn-source', MAIN, ...command.split(' ')]
    const printed = await new Promise<string>((done) => {
      // Most quoted commands find a failure and exit with status 1.
      execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout) => done(stdout))
    })
    return normalised(printed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a user of the package sees, with a fixed duration: real time differs from run to run. */
function normalised(printed: string): string {
  const named = printed.replaceAll(/(?:node \S+main\.ts|npm run -s norn --)/g, 'npx norn')
  return aligned(named.replaceAll(/\d+(?:\.\d+)? s\b(?! timer)/g, '0.5 s').trim())
}

/**
 * Lines up the purposes of the replay commands: `npx norn` is shorter than the command that ran.
 */
function aligned(printed: string): string {
  const split = printed.split('\n').map((line) => line.split(/ {2,}(?=# )/))
  const width = Math.max(...split.map(([command = '', purpose]) => (purpose === undefined ? 0 : command.length)))
  const columns = ([command = '', purpose]: string[]) =>
    purpose === undefined ? command : `${command.padEnd(width)}  ${purpose}`
  return split.map(columns).join('\n')
}

/**
 * Cuts the output behind the paragraph with a line that begins with a word, and its diagram to a
 * range of times.
 */
function shortened(printed: string, excerpt: string): string {
  const [word = '', range] = excerpt.split(' ')
  const lines = printed.split('\n')
  const named = lines.findIndex((line) => line.trimStart().startsWith(word))
  if (named < 0) throw new Error(`no line of the output begins with '${word}':\n${printed}`)
  const end = lines.indexOf('', named)
  const kept = end < 0 ? lines : lines.slice(0, end)
  if (range === undefined) return kept.join('\n')
  const [from = 0, to = 0] = range.split('-').map(Number)
  const isHidden = (line: string) => {
    const time = /^ +(?:[▶+] +)?(\d+\.\d\d) /.exec(line)?.[1]
    return time !== undefined && (Number(time) < from || Number(time) > to)
  }
  return kept
    .map((line) => (isHidden(line) ? '       …' : line))
    .filter((line, at, all) => line !== '       …' || all[at - 1] !== line)
    .join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages()) writeFileSync(join(ROOT, page), await fresh(page))
}
