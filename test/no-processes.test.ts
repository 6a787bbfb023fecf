import * as childProcess from 'node:child_process'
import { expect, test } from 'vitest'

const node = process.execPath
test.each([
  ['spawn', () => childProcess.spawn(node, ['--version'])],
  ['exec', () => childProcess.exec('true')],
  ['execFile', () => childProcess.execFile(node, ['--version'])],
  ['fork', () => childProcess.fork(import.meta.filename)],
  ['spawnSync', () => childProcess.spawnSync(node, ['--version'])],
  ['execSync', () => childProcess.execSync('true')],
  ['execFileSync', () => childProcess.execFileSync(node, ['--version'])],
])('%s throws in a test file that is not named *.slow.test.ts', (_, start) => {
  expect(start).toThrow(/no-processes\.test\.ts starts a process: name it \*\.slow\.test\.ts/)
})
