/**
 * Evaluates a configuration file. Synchronous, since a test runner registers tests, with their time
 * limits, while their file is evaluated.
 *
 * `norn` in it is what configurations need alone: loading all of norn takes longer, and a norn that is called
 * by npx may not be installed beside the file. A TypeScript file is an ES module, also in a package
 * of type `commonjs`, which `npm init -y` writes.
 */
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module'
import { pathToFileURL } from 'node:url'
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
  const configuration = pathToFileURL(path).href
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'norn' ? { url: DEFINE_CONFIG, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url.endsWith('.ts') && (url === configuration || !process.features.typescript)
        ? stripped(url)
        : next(url, context),
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

/** A TypeScript module, also for a Node that does not strip types itself, as before 22.18. */
function stripped(url: string) {
  const { emitWarning } = process
  // Node warns that the function is experimental, which is nothing to the user.
  process.emitWarning = () => {}
  try {
    const source = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'))
    return { format: 'module', source, shortCircuit: true }
  } finally {
    process.emitWarning = emitWarning
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  if ((error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ASYNC_MODULE')
    return 'it has a top-level await. Remove it: norn reads its configuration synchronously'
  return `${error.name}: ${error.message}`
}
