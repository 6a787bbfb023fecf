/**
 * Copies the guide and the examples into the package norn, where users of npm read them. Links that lead
 * out of these become their text. Part of the package's build; nothing of it is committed.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDERS = ['docs', 'examples']

/** About the repository, not about its use. */
const LEFT_OUT = new Set(['architecture.md', 'architecture.svg', 'findings', 'findings.md', '.norn'])

/** @param target an absolute path */
export function packDocs(target: string): void {
  for (const folder of FOLDERS) {
    rmSync(join(target, folder), { recursive: true, force: true })
    cpSync(join(ROOT, folder), join(target, folder), {
      recursive: true,
      filter: (path) => !path.split(sep).some((name) => LEFT_OUT.has(name)),
    })
  }
  for (const page of FOLDERS.flatMap((folder) => pagesBelow(join(target, folder)))) {
    const isInside = (link: string) => {
      const path = resolve(dirname(page), link)
      return path.startsWith(target + sep) && existsSync(path)
    }
    const shorter = readFileSync(page, 'utf8').replace(
      /\[([^\]]+)\]\(([^)#\s]+)(?:#[^)]*)?\)/g,
      (link, shown: string, to: string) => (/^[a-z]+:/.test(to) || isInside(to) ? link : shown),
    )
    writeFileSync(page, shorter)
  }
}

function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packDocs(join(ROOT, 'packages/norn'))
