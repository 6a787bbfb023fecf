/** Suites run in the folder of their package. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let folder = dirname(fileURLToPath(import.meta.resolve('suite-under-test')))
while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
process.chdir(folder)
