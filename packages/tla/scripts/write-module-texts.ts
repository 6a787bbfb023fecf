/**
 * Writes dist/library/module-texts.js: norn's own modules as texts, so that the package needs no files to
 * find them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODULE_TEXTS } from '../src/node/module-texts.ts'

const FOLDER = join(import.meta.dirname, '../dist/library')

mkdirSync(FOLDER, { recursive: true })
writeFileSync(
  join(FOLDER, 'module-texts.js'),
  `export const MODULE_TEXTS = new Map(${JSON.stringify([...MODULE_TEXTS], undefined, 1)})\n`,
)
writeFileSync(join(FOLDER, 'module-texts.d.ts'), 'export declare const MODULE_TEXTS: ReadonlyMap<string, string>\n')
