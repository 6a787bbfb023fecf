/** Runs the modules of `globalSetup`, as vitest and jest do. */
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { Asked, Provided } from './global-setup.ts'

type Setup = (...args: unknown[]) => unknown

/** What a module exports, or the `default` of CommonJS that was compiled. */
interface Exports {
  readonly default?: Setup | { readonly default?: Setup }
  readonly setup?: Setup
  readonly teardown?: Setup
}

const { files, runner, root } = workerData as Asked
const before = { ...process.env }
const values: Record<string, unknown> = {}
const config = { root, rootDir: root }
const project = {
  config,
  provide: (name: string, value: unknown) => void (values[name] = structuredClone(value)),
  getProvidedContext: () => values,
  onTestsRerun: () => {},
}

const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href) as Promise<Exports>))
for (const [at, each] of modules.entries()) {
  const { default: main } = each
  const setup = (typeof main === 'object' ? main.default : main) ?? each.setup
  if (setup === undefined && each.teardown === undefined)
    throw new Error(`invalid globalSetup file ${files[at]}. Must export setup, teardown or have a default export`)
  await setup?.(...(runner === 'jest' ? [config, config] : [project]))
}
const changed = Object.entries(process.env).filter(([name, value]) => value !== before[name])
parentPort!.postMessage({ values, env: Object.fromEntries(changed) as Record<string, string> } satisfies Provided)
