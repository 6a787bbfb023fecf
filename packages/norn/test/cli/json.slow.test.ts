/**
 * `--json`: JSON lines on stdout and nothing else; with a seed and a number of runs, a function of
 * these.
 */
import { describe, expect, it } from 'vitest'
import { notes } from './notes.ts'
import { type Line, parsed, project } from './project.ts'

const here = project({
  ...notes,
  'loud.fuzz.ts': `import { writeSync } from 'node:fs'
import { fc, fuzz } from 'norn'

console.log('printed while it is loaded')
writeSync(1, 'written while it is loaded\\n')
fuzz('is loud', { n: fc.integer({ min: 0, max: 1000 }) }, ({ n }) => {
  for (let i = 0; i < 2000; i++) console.log('out', i)
  console.error('to stderr')
  process.stdout.write('{"type":"a lie"}\\n')
  writeSync(1, 'past the stream\\n')
  if (n > 900) throw new Error('too large')
})
`,
})

/** A line without what may differ from one run to the next: what is named as a time. */
function timeless(line: Line): string {
  return JSON.stringify(line, (key, value) => (/time|Ms$/i.test(key) ? undefined : value))
}

describe('--json', () => {
  it('gives the same lines in two processes', async () => {
    const call = ['fuzz', 'notes.fuzz.ts', 'loud.fuzz.ts', '--runs', '30', '--seed', '7', '--no-saved', '--json']
    const [first, second] = await Promise.all([here.norn(...call), here.norn(...call)])
    expect(first).toMatchObject({ status: 1, stderr: '' })
    const lines = parsed(first.stdout)
    expect(lines.map(timeless)).toEqual(parsed(second.stdout).map(timeless))
    // All that is taken out for that is called timeMs.
    const named = new Set<string>()
    for (const line of lines) for (const key of Object.keys(line)) named.add(key)
    expect([...named].filter((key) => /time|Ms$/i.test(key))).toEqual(['timeMs'])
    expect(lines.map(({ type }) => type)).toEqual(['failure', 'summary', 'failure', 'summary', 'end'])
    expect(lines[0]).toMatchObject({
      type: 'failure',
      file: 'notes.fuzz.ts',
      property: 'notes are kept',
      verdict: 'failed',
      kind: 'error',
      frames: [{ file: 'notes.fuzz.ts', line: 10 }],
      input: expect.stringMatching(/^texts = \[ '.?' \]$/),
      schedule: [{ label: expect.stringMatching(/ (open|write) (effect|callback)$/), latencyUs: expect.any(Number) }],
      seed: 7,
      confirmed: true,
      saved: here.failures().find((path) => path.includes('notes-are-kept')),
    })
    expect(lines.at(-1)).toMatchObject({ type: 'end', status: 1, properties: 2 })
  })

  it('gives one line for a replay', async () => {
    const saved = here.failures().find((path) => path.includes('is-loud'))!
    const { status, stdout, stderr } = await here.call('replay', saved, '--json')
    expect(parsed(stdout)).toMatchObject([{ type: 'replay', property: 'is loud', exact: true, message: 'too large' }])
    expect(stderr).toBe('')
    expect(status).toBe(1)
  })

  it('has errors of the call on stderr', async () => {
    const { status, stdout, stderr } = await here.call('fuzz', 'gone.fuzz.ts', '--json')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('no such file or folder: gone.fuzz.ts')
  })
})
