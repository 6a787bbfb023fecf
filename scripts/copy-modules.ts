/**
 * Copies the TLA+ modules that norn brings beside the compiled files that look for them: the compiler copies no text.
 * Part of `npm run build`.
 */
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDER = 'tla/library/modules'

cpSync(join(ROOT, 'src', FOLDER), join(ROOT, 'dist', FOLDER), { recursive: true })
