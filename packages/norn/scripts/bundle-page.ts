/** Bundles the script of report pages into a file: `node -C norn-source scripts/bundle-page.ts FILE`. */
import { writeFileSync } from 'node:fs'
import { pageScript } from '../src/report/page/script.ts'

const [, , path] = process.argv
if (path === undefined) throw new Error('the file to write is missing')
writeFileSync(path, (await pageScript()).text)
