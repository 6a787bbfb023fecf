/** The sign of life: shown on terminals only, and gone when something lasting is printed. */
import { describe, expect, it } from 'vitest'
import { statusLine } from '../src/status-line.ts'

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
