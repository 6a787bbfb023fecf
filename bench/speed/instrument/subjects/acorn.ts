/** acorn parses itself. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'acorn'

const source = readFileSync(createRequire(import.meta.url).resolve('acorn'), 'utf8')

export function run(): string {
  const { body, end } = parse(source, { ecmaVersion: 'latest' })
  return `${body.length} ${end}`
}
