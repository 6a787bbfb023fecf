/** The entry of the command `norn-tla`. */
import { main } from '#shared/cli/main'

await main('norn-tla', () => import('./run.ts'))
