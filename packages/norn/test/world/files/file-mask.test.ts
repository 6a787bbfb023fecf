/** The mask of file modes is the same wherever norn is called. */
import { afterAll, expect, test } from 'vitest'
import { interceptFileMask } from '../../../src/world/files/file-mask.ts'
import { OsProcess } from '../../../src/world/loop/os-process.ts'

const before = process.umask
const umask = before.bind(process) as () => number
const real = umask()
afterAll(() => {
  process.umask = before
})

let active = false
let running = new OsProcess(1, undefined)
const mask = interceptFileMask({ active: () => active, running: () => running } as Parameters<
  typeof interceptFileMask
>[0])

test('a program starts with the usual mask, and changes only its own', () => {
  active = true
  expect([process.umask(), mask.current()]).toEqual([0o022, 0o022])
  expect([process.umask('077'), process.umask(), mask.current()]).toEqual([0o022, 0o077, 0o077])
  expect(() => process.umask('what')).toThrow(/mask/)
  expect(umask()).toBe(real)
  const child = new OsProcess(2, running)
  running = new OsProcess(1, undefined)
  expect(process.umask()).toBe(0o022)
  expect(child.mask).toBe(0o077)
})

test('the rest of the process has its own', () => {
  active = false
  expect([process.umask(), mask.current()]).toEqual([real, real])
})
