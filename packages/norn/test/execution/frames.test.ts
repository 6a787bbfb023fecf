import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { framesOf, type Positions, readableMessage, readableStack } from '../../src/execution/frames.ts'

const NORN = resolve(import.meta.dirname, '../../src/world/loop/loop.ts')
const positions: Positions = { root: () => '/project', original: (file, line, column) => ({ file, line, column }) }

const STACK = [
  'Error: no',
  '    at save (/project/notes.ts:3:5)',
  '    at async /project/notes.fuzz.ts:9:1',
  '    at node:internal/process/task_queues:104:5',
  `    at drive (file://${NORN}:90:12)`,
].join('\n')

describe('a stack', () => {
  test('keeps the frames of the program, relative to its root', () => {
    expect(readableStack(STACK, positions)).toBe(
      ['Error: no', '    at save (notes.ts:3:5)', '    at notes.fuzz.ts:9:1'].join('\n'),
    )
  })

  test('names a file outside of the root by the way to it', () => {
    expect(framesOf(`    at f (${join('/elsewhere', 'a.js')}:1:2)`, positions)[0]!.file).toBe('../elsewhere/a.js')
  })
})

describe('a message', () => {
  test('that quotes a stack is cleaned like one', () => {
    const quoted = STACK.split('\n').map((line) => `+ ${line}`)
    expect(readableMessage(['not equal:', ...quoted, '- undefined'].join('\n'), positions)).toBe(
      ['not equal:', '+ Error: no', '+     at save (notes.ts:3:5)', '+     at notes.fuzz.ts:9:1', '- undefined'].join(
        '\n',
      ),
    )
  })

  test.each([
    ['_norn_0.$save(...) is not a function', 'save is not a function'],
    ['_n3z__12.$ä_1(...).all is not a constructor', 'ä_1.all is not a constructor'],
    ['_norn_of_paths(...).missing is not a function', 'paths.missing is not a function'],
    ['_norn_0.$rows is not a function or its return value is not iterable', 'rows is not iterable'],
    [
      "Cannot destructure property 'a' of '_norn_1.$*default*(...)' as it is undefined.",
      "Cannot destructure property 'a' of 'default' as it is undefined.",
    ],
  ])('names imports as they are written: %s', (message, written) => {
    expect(readableMessage(message, positions)).toBe(written)
  })

  test('is left alone otherwise', () => {
    const message = 'meet me at noon\n  at the gate (or at /project)'
    expect(readableMessage(message, positions)).toBe(message)
  })
})
