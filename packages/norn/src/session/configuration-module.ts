/**
 * Evaluates a configuration file. Synchronous, since a test runner registers tests, with their time
 * limits, while their file is evaluated.
 *
 * `norn` in it is `defineConfig` alone: loading all of norn takes longer, and a norn that is called
 * by npx may not be installed beside the file.
 */
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module'
import { UsageError } from './errors.ts'

const SOURCE = import.meta.url.endsWith('.ts') ? './define-config.ts' : './define-config.js'
const DEFINE_CONFIG = new URL(SOURCE, import.meta.url).href

/**
 * What a file exports by default.
 *
 * @param name the file in messages
 * @throws UsageError if it cannot be evaluated
 */
export function evaluateModule(path: string, name: string): unknown {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'norn' ? { url: DEFINE_CONFIG, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => (needsStripping(url) ? stripped(url) : next(url, context)),
  })
  try {
    const exported = createRequire(path)(path) as { readonly default?: unknown }
    return exported?.default ?? exported
  } catch (error) {
    throw new UsageError(`cannot load ${name}: ${reasonOf(error)}`)
  } finally {
    hooks.deregister()
  }
}

/** Whether a file is TypeScript and this Node, as before 22.18, does not strip types itself. */
function needsStripping(url: string): boolean {
  return url.endsWith('.ts') && !process.features.typescript
}

function stripped(url: string) {
  const source = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'))
  return { format: 'module', source, shortCircuit: true }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  if ((error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ASYNC_MODULE')
    return 'it has a top-level await. Remove it: norn reads its configuration synchronously'
  return `${error.name}: ${error.message}`
}
