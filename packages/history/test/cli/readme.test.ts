/** The output in the README is what its history gives. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command, file } from './command.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

test('the history of the README is reported as it says', async () => {
  const [, history] = /```clojure\n(.*?)```/s.exec(readme)!
  const { output } = await command('check', file(history!), '--isolation', 'list-append')
  expect(readme).toContain(output.replace(/\(\d+\.\d\d s\)/, '(0.02 s)'))
})
