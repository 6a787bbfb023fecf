/** The status line of a terminal: overwritten by each update, removed before other output. */
import { printed } from './printable.ts'

export interface Status {
  update(text: string): void
  clear(): void
}

const REDRAW_MS = 80

/** A status line on a stream; silent unless the stream is a terminal. */
export function statusLine(stream: NodeJS.WriteStream): Status {
  if (!stream.isTTY) return { update() {}, clear() {} }
  let shown = false
  let last = 0
  return {
    update(text) {
      const now = performance.now()
      if (shown && now - last < REDRAW_MS) return
      last = now
      shown = true
      stream.write(`\r\u001b[2K${printed(text).slice(0, (stream.columns || 80) - 1)}`)
    },
    clear() {
      if (shown) stream.write('\r\u001b[2K')
      shown = false
    },
  }
}
