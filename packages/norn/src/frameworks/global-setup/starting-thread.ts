/** Loaded before the tests of a file in each execution: waits until the modules of `globalSetup` have run. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { GlobalSetup, Provided } from './global-setup.ts'

const { asked, provide } = createRequire(import.meta.url)('norn:global-setup') as GlobalSetup
const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js'
const thread = new Worker(new URL(file, import.meta.url), { workerData: asked })
const [{ values, env }] = (await once(thread, 'message')) as [Provided]
Object.assign(process.env, env)
provide(values)
// The tests do not wait for what it goes on with.
thread.unref()
