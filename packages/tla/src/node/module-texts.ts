/**
 * The texts of norn's own modules by name, as the repository has them: one file each. In the
 * package `#module-texts` is a module that `npm run build` writes, with the texts in it: so it runs
 * in browsers too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../library/modules')

export const MODULE_TEXTS: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((file) => [file.replace(/\.tla$/, ''), readFileSync(join(FOLDER, file), 'utf8')]),
)
