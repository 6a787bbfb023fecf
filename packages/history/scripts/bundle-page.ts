/** Writes the module of a page's bundled script: `node -C norn-source scripts/bundle-page.ts FILE`. */
import { writeFileSync } from 'node:fs'
import { pageScript } from '../src/picture/page-script.ts'

const [, , path] = process.argv
if (path === undefined) throw new Error('the file to write is missing')
writeFileSync(path, `const SCRIPT = ${JSON.stringify(pageScript())}\nexport const pageScript = () => SCRIPT\n`)
