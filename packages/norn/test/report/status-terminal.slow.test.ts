import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MAIN, project } from '../cli/project.ts'

describe.runIf(process.platform === 'linux')('the status line on a terminal', () => {
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
    expect(summary).toMatch(/^✓ is fine: [\d,]+ executions in /)
    expect(estimates).toEqual([
      expect.stringMatching(/^task orders and branches seen: \d+, the last new one in execution \d+; /),
      expect.stringMatching(/^upper bound on the failure rate \(95 %\): \S+ % of inputs drawn like these/),
      expect.stringMatching(/^[\d,]+ of [\d,]+ repeated executions? gave the same trace/),
    ])
  })
})
