/** markdown-it renders pages of this project, with all options on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'

const root = join(import.meta.dirname, '../../../..')
const suites = ['fidelity', 'history', 'microbenchmark', 'raft', 'robustness', 'shrinking', 'statistics']
const pages = ['README.md', ...suites.map((suite) => `bench/${suite}/README.md`)]
const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')

export function run(): string {
  const html = new MarkdownIt({ html: true, linkify: true, typographer: true }).render(text)
  return `${html.length} ${html.slice(-40)}`
}
