import { pbkdf2Sync } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { internalBinding } from '../../../src/loader/internals.ts'
import { ASYNC, type JobClass, type Outcome, performer } from '../../../src/world/crypto/crypto-jobs.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const { PBKDF2Job } = internalBinding<{ PBKDF2Job: JobClass }>('crypto')
const noChance = (): never => {
  throw new Error('the job draws nothing')
}

function submitted(): { perform: () => Outcome; bytes: WeakRef<Uint8Array>[] } {
  const args = ['secret', 'salt'].map((text) => new TextEncoder().encode(text))
  const { perform } = performer('PBKDF2Job', PBKDF2Job, ASYNC, [...args, 10, 16, 'sha256'], noChance)
  return { perform, bytes: args.map((each) => new WeakRef(each)) }
}

test('the bytes that a job reads live until it has run, and no longer', async () => {
  const { perform, bytes } = submitted()
  await turn()
  collect()
  expect(bytes.map((each) => each.deref() !== undefined)).toEqual([true, true])
  const [error, derived] = perform()
  expect(error).toBeUndefined()
  expect(Buffer.from(derived as ArrayBuffer)).toEqual(pbkdf2Sync('secret', 'salt', 10, 16, 'sha256'))
  await turn()
  collect()
  expect(bytes.map((each) => each.deref() !== undefined)).toEqual([false, false])
})
