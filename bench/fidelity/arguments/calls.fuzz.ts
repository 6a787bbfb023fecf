// The calls under norn: each property prints what one function answers.
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz } from 'norn'
import { answersOf, shapesOf } from './calls.ts'
import { subjects } from './subjects.ts'

const isAsked = (name: string) => name.includes(process.env.NORN_ARGUMENTS_ONLY ?? '')

/** All shapes in one execution, and each in one of its own, as a call that norn refuses ends the execution. */
for (const subject of (await subjects()).filter(({ name }) => isAsked(name)))
  for (const shapes of [shapesOf(subject), ...shapesOf(subject).map((shape) => [shape])])
    fuzz(shapes.length > 1 ? subject.name : `${subject.name} ${shapes[0]}`, {}, async () => {
      // Errors that come later count for no call.
      process.on('uncaughtException', () => {})
      for (const [index, shape] of shapes.entries()) {
        const folder = join(tmpdir(), `norn-arguments-${index}`)
        mkdirSync(folder)
        const answers = await answersOf(subject, shape, folder)
        process.stdout.write(`${JSON.stringify(answers)}\n`)
      }
    })
