/** Child processes, clusters and sockets sent between them: the same as on stock Node, under any schedule. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Fixture, NATURAL, random } from './workers.ts'

const FOLDER = fileURLToPath(new URL('fixtures/', import.meta.url))

function stockAnswers(name: string): Map<string, unknown> {
  const answers = execFileSync(process.execPath, ['--no-warnings', `${FOLDER}stock.ts`, `${FOLDER}${name}.ts`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Map(
    answers
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, unknown]),
  )
}

test.each(['children', 'waited-children', 'process-trees', 'clusters', 'passing'])(
  'answers are those of stock Node under many schedules: %s',
  async (name) => {
    const stock = stockAnswers(name)
    const fixture = await Fixture.open(name)
    expect([...stock.keys()].sort()).toEqual(fixture.names.filter((each) => !each.startsWith('norn')).sort())
    for (const [each, answer] of stock) {
      for (const plan of [NATURAL, ...[1, 2, 3, 4, 5].map(random)])
        expect((await fixture.printed(each, plan)).at(-1), each).toEqual(answer)
    }
    fixture.close()
  },
)
