// execa: two programs; started side by side, they answer in any order.
import assert from 'node:assert/strict'
import { execa } from 'execa'
import type { PropertyOptions } from 'norn'
import { planted } from './planted.ts'

const options: PropertyOptions = { commands: { echo: (args) => `${args.join(' ')}\n` } }

planted(
  'execa: outputs are in order',
  async ({ isFixed }) => {
    const outputs: string[] = []
    const run = async (name: string) => {
      const { stdout } = await execa('echo', ['hello', name])
      outputs.push(stdout)
    }
    if (isFixed) for (const name of ['one', 'two']) await run(name)
    else await Promise.all(['one', 'two'].map(run))
    assert.deepEqual(outputs, ['hello one', 'hello two'])
  },
  options,
)
