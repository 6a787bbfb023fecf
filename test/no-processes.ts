/**
 * Setup of every test file: only a file named `*.slow.test.ts` may start processes. So the others,
 * `npm run test:unit`, stay quick.
 */
import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { expect } from 'vitest'

const { testPath = '' } = expect.getState()
if (!testPath.endsWith('.slow.test.ts')) {
  const refuse = (): never => {
    throw new Error(
      `${testPath} starts a process: name it *.slow.test.ts, or test the part below the process with a stand-in`,
    )
  }
  // Every asynchronous function of node:child_process starts its process by this method.
  ;(ChildProcess.prototype as unknown as { spawn(): never }).spawn = refuse
  childProcess.spawnSync = refuse
  childProcess.execSync = refuse
  childProcess.execFileSync = refuse
  syncBuiltinESMExports()
}
