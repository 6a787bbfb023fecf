/**
 * The script of a picture's page. A published package has a module with the bundled text in the place of
 * this one (packages/history/scripts/bundle-page.ts), so that it runs in a browser too; in the repository
 * the script is bundled from its sources when it is needed.
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface PageScript {
  readonly text: string
  /** As a policy names it: `sha256-…`. */
  readonly hash: string
}

let bundled: PageScript | undefined

export function pageScript(): PageScript {
  return (bundled ??= bundle())
}

function bundle(): PageScript {
  // Loaded late: few calls draw a page.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./browser/main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    charset: 'utf8',
    logLevel: 'silent',
  })
  const text = outputFiles[0]!.text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` }
}
