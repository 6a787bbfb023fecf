import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WORLD = join(import.meta.dirname, '../../src/world/world.ts')

test('the modules of the world do not load crypto, which captures bindings that the world replaces', () => {
  const script = `await import(${JSON.stringify(WORLD)})\nconsole.log(process.moduleLoadList.join('\\n'))`
  const flags = ['--conditions=norn-source', '--expose-internals', '--no-warnings', '--input-type=module']
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--eval', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const loaded = stdout.split('\n').map((line) => line.replace('NativeModule ', ''))
  expect(loaded).toContain('net')
  expect(loaded.filter((name) => /^(internal\/)?crypto(\/keygen)?$/.test(name))).toEqual([])
})
