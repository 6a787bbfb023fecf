/** Stock Node: prints, a line each, what the functions of the arguments answer. */
import { mkdirSync, mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersOf, shapesOf } from './calls.ts'
import { subjects } from './subjects.ts'

const wanted = new Set(JSON.parse(process.argv[2]!) as string[])
const print = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`)
const { reallyExit } = process as unknown as { reallyExit(code: number): never }
const mask = process.umask()
process.on('uncaughtException', () => {})
const top = mkdtempSync(join(tmpdir(), 'norn-arguments-'))
for (const subject of await subjects()) {
  for (const shape of shapesOf(subject)) {
    const name = `${subject.name} ${shape}`
    if (!wanted.has(name)) continue
    print({ begins: name })
    const folder = join(top, name.replaceAll('/', '-'))
    mkdirSync(folder)
    print({ name, answers: await answersOf(subject, shape, folder) })
    process.umask(mask)
  }
}
process.chdir('/')
try {
  // What was started may still write there.
  rmSync(top, { recursive: true, force: true, maxRetries: 3 })
} finally {
  reallyExit.call(process, 0)
}
