/** The rest of counts.test.ts: it starts no process, but takes as long. */
import { expect, it } from 'vitest'
import { explored, known, SLOW } from './explored.ts'

it.each(SLOW)('$configuration: $result, as TLC has it', (model) => expect(explored(model)).toEqual(known(model)))
