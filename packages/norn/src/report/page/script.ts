/**
 * The script of a page. A published package holds it as it was bundled (packages/norn/scripts/bundle-page.ts); in
 * norn's own repository it is bundled from its sources when it is needed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BUNDLED = new URL('./page-script.js', import.meta.url)
const SOURCE = new URL('./browser/main.tsx', import.meta.url)

export interface PageScript {
  readonly text: string
  /** As a policy names it: `sha256-…`. */
  readonly hash: string
}

export async function pageScript(): Promise<PageScript> {
  const source = fileURLToPath(SOURCE)
  // A bundle of these sources may be older than they are.
  const text = existsSync(source) ? await bundled(source) : readFileSync(BUNDLED, 'utf8')
  const inline = text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  return { text: inline, hash: `sha256-${createHash('sha256').update(inline).digest('base64')}` }
}

/** Bundles the script of a page. @param entry its main file */
async function bundled(entry: string): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    charset: 'utf8',
    conditions: ['norn-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'text' },
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}
