/** The sign of life: shown on terminals only, and gone when something lasting is printed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { statusLine } from '../../src/report/status.ts'
import { MAIN, project } from '../cli/project.ts'

function stream(isTTY: boolean, columns = 20) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  return { written, stream: { isTTY, columns, write } as unknown as NodeJS.WriteStream }
}

describe('the status line', () => {
  it('is silent where the stream is no terminal', () => {
    const { written, stream: pipe } = stream(false)
    const status = statusLine(pipe)
    status.update('working')
    status.clear()
    expect(written).toEqual([])
  })

  it('is written over, cut to the width, and taken away', () => {
    const { written, stream: terminal } = stream(true)
    const status = statusLine(terminal)
    status.update('a text that is longer than the terminal is wide')
    status.update('too soon')
    status.clear()
    status.clear()
    expect(written).toEqual(['\r\u001b[2Ka text that is long', '\r\u001b[2K'])
  })
})

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  const here = project({
    'fine.fuzz.ts': `import { fc, fuzz } from 'norn'\nfuzz('is fine', { n: fc.nat() }, () => {})\n`,
  })

  it('shows executions, rate and time left, and leaves only what lasts', async () => {
    const command = `${process.execPath} ${MAIN} fuzz fine.fuzz.ts --time 3s`
    const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
      cwd: here.root,
      env: { ...process.env, TERM: 'xterm' },
    })
    expect(stdout).toContain('\r\u001b[2Kis fine: starting')
    expect(stdout).toMatch(/is fine: \d+ executions, \d+\/s, \d s left/)
    // What a terminal shows in the end: each line without what was written over.
    const lasting = stdout.split('\n').map((line) => line.replace(/\r$/, '').split('\u001b[2K').at(-1)!.trim())
    const [summary, ...estimates] = lasting.filter((line) => line !== '')
    expect(summary).toMatch(/^✓ is fine: \d+ executions in /)
    expect(estimates).toEqual([
      expect.stringMatching(/^orders of tasks and branches seen: \d+, the last new one in execution \d+; /),
      expect.stringMatching(/^upper bound on the failure rate \(95 %\): \S+ % of inputs drawn like these/),
      expect.stringMatching(/^[\d,]+ of [\d,]+ executions? that ran twice did the same/),
    ])
  })
})
