/** The entry of the command `norn-history`. */
import { main } from '#shared/cli/main'

await main('norn-history', () => import('./run.ts'))
