/**
 * Programs that misbehave, met by a campaign as a person calls it; and that nothing outlives it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ended, type Line, OWN_STACK, parsed, project, start } from '../cli/project.ts'

const FIXTURE = resolve(import.meta.dirname, 'fixtures/program.mjs')

/**
 * A cluster of the fixture for each way to misbehave, at a command that only some executions come
 * to.
 */
const clusters = (modes: readonly string[], where = '9') => `import { cluster, program } from 'norn/cluster'
for (const mode of ${JSON.stringify(modes)}) {
  cluster(mode, {
    system: () => program([process.execPath, ${JSON.stringify(FIXTURE)}, mode, '${where}', import.meta.dirname], { answerMs: 1000 }),
    steps: 6,
    faults: { crashes: 1, drops: 2 },
    requests: [1, 2, 3],
  })
}
`

const here = project({
  'wrong.fuzz.ts': clusters(['dies', 'asserts', 'right'], '6'),
  'hangs.fuzz.ts': clusters(['hangs']),
  'wild.fuzz.ts': clusters(['garbage', 'too long', 'second answer']),
  'forgetful.fuzz.ts': clusters(['no reset']),
  'stays.fuzz.ts': clusters(['ignores the end']),
})

const FUZZ = ['--runs', '60', '--seed', '1', '--json', '--no-saved']
const failures = (lines: readonly Line[]) => lines.filter(({ type }) => type === 'failure')
const summaries = (lines: readonly Line[]) => lines.filter(({ type }) => type === 'summary')

describe('a campaign over programs that misbehave', () => {
  it('finds each, shrinks it, and goes on', async () => {
    const { status, stdout, stderr } = await here.call('fuzz', 'wrong.fuzz.ts', ...FUZZ, '--keep-going')
    expect(stderr).toBe('')
    const lines = parsed(stdout)
    expect(
      failures(lines).map(({ property, error, message, confirmed }) => [
        property,
        error,
        message.split('\n')[0],
        confirmed,
      ]),
    ).toEqual([
      ['dies', 'ProgramDeath', expect.stringContaining('the program died instead of answering'), true],
      ['asserts', 'AssertionError', 'counts are equal', true],
    ])
    for (const { shrinking, message } of failures(lines)) {
      expect(shrinking.improvements).toBeGreaterThan(0)
      expect(message).toContain('\n  sent: {"id":7,')
    }
    expect(failures(lines)[0]!.message).toContain('\n  stderr:\n    | about to die\n    | of this')
    expect(summaries(lines).map(({ executions, flaky, voided }) => [executions, flaky, voided])).toEqual(
      summaries(lines).map(() => [60, 0, 0]),
    )
    expect(status).toBe(1)
  })

  it('is a function of its seed', async () => {
    const once = await here.call('fuzz', 'wrong.fuzz.ts', ...FUZZ, '--property', 'asserts')
    const again = await here.call('fuzz', 'wrong.fuzz.ts', ...FUZZ, '--property', 'asserts')
    const timeless = (text: string) => text.replace(/"timeMs":[\d.]+/g, '')
    expect(timeless(again.stdout)).toBe(timeless(once.stdout))
  })

  it('replays what killed the program', async () => {
    const [saved] = here.failures().filter((path) => path.includes('dies'))
    const { status, stdout } = await here.call('replay', saved!)
    expect(stdout).toContain('replayed exactly: the same trace')
    expect(stdout).toContain('about to die')
    expect(stdout).not.toMatch(OWN_STACK)
    expect(status).toBe(1)
  })

  it('finds a hang, and leaves it as large as it is', async () => {
    const { status, stdout } = await here.call('fuzz', 'hangs.fuzz.ts', ...FUZZ)
    const [hang, ...others] = failures(parsed(stdout))
    expect(hang!.error).toBe('ProgramHang')
    expect(hang!.message).toMatch(/within 1 s \(option answerMs\), and was killed\n/)
    expect(hang!.message).toContain('\n  stderr:\n    | waiting for ever')
    expect([hang!.shrinking, hang!.confirmed]).toEqual([null, true])
    expect(others).toEqual([])
    expect(status).toBe(1)
  })

  it('finds garbage, an answer of 100 MB, and one too many', async () => {
    const { status, stdout } = await here.call('fuzz', 'wild.fuzz.ts', ...FUZZ, '--no-shrink')
    expect(failures(parsed(stdout)).map(({ error, message }) => [error, message.split('\n')[0]])).toEqual([
      ['ProtocolBreach', expect.stringContaining('has a wrong shape: it is not JSON')],
      ['ProtocolBreach', expect.stringContaining('is longer than 16777216 bytes (option maxLineBytes)')],
      ['ProtocolBreach', expect.stringContaining('there is a second answer to the command before')],
    ])
    expect(status).toBe(1)
  })

  it('tells of a program whose reset resets nothing that it is no function of its tape', async () => {
    here.write(
      'flaky.fuzz.ts',
      clusters(['no reset']).replace(
        'requests: [1, 2, 3],',
        `requests: [1, 2, 3],
    check: (view) => { if (view.log.some(({ kind, data }) => kind === 'reply' && data > 20)) throw new Error('too many\\nbut not always') },`,
      ),
    )
    const { status, stdout } = await here.call('fuzz', 'flaky.fuzz.ts', ...FUZZ)
    expect(failures(parsed(stdout))).toEqual([])
    expect(parsed(stdout).filter(({ type }) => type === 'flaky')).toHaveLength(1)
    expect(status).toBe(3)
    // All of what it said: for people too, who may not see it again.
    const told = await here.call('fuzz', 'flaky.fuzz.ts', ...FUZZ.filter((option) => option !== '--json'))
    expect(told.stdout).toMatch(
      /flaky\. Execution \d+ failed \(too many\), .* uncontrolled nondeterminism\n {2}but not always\n/,
    )
  })
})

/** The processes whose command line holds a text, and that run. Linux only. */
function running(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [command, stat] = ['cmdline', 'stat'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
        return command!.includes(text) && !/\) [ZX] /.test(stat!)
      } catch {
        return false
      }
    })
}

async function until(condition: () => boolean): Promise<void> {
  for (;;) {
    if (condition()) return
    await sleep(20)
  }
}

describe.runIf(process.platform === 'linux')('no program is left', () => {
  // Its last argument is the folder of this test.
  const isThere = () => running(here.root).length > 0

  it.each([['SIGINT'], ['SIGKILL']] as const)(
    'by a norn that %s ends, though it ignores the end of its stdin',
    async (signal) => {
      // The programs of the tests before go when their campaigns are gone, which may be a moment
      // later.
      await until(() => !isThere())
      const norn = start(here.root, ['fuzz', 'stays.fuzz.ts', '--time', '10m', '--json'])
      const outcome = ended(norn)
      const early = outcome.then(({ status, stdout, stderr }) => {
        throw new Error(`norn ended with ${status} before its program was seen:\n${stdout}${stderr}`)
      })
      await Promise.race([until(isThere), early])
      norn.kill(signal)
      await outcome
      await until(() => !isThere())
    },
  )
})
