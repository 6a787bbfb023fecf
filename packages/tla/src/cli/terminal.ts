/** Colours, and the line that shows progress. */
import pc from 'picocolors'

export interface Style {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warning(text: string): string
}

/** @param enabled whether colours are wanted; by default as the terminal and NO_COLOR say */
export function terminalStyle(enabled: boolean = pc.isColorSupported): Style {
  const { bold, dim, green, red, yellow } = pc.createColors(enabled)
  return { bold, dim, good: green, bad: red, warning: yellow }
}

const REDRAW_MS = 80

/**
 * A line that is written over, and cleared before other output; nothing where the stream is not a
 * terminal.
 */
export function statusLine(stream: NodeJS.WriteStream): { update(text: string): void; clear(): void } {
  if (!stream.isTTY) return { update() {}, clear() {} }
  let drawnMs = Number.NEGATIVE_INFINITY
  return {
    update(text) {
      const nowMs = performance.now()
      if (nowMs - drawnMs < REDRAW_MS) return
      drawnMs = nowMs
      stream.write(`\r\u001b[2K${text.slice(0, (stream.columns || 80) - 1)}`)
    },
    clear() {
      if (drawnMs > Number.NEGATIVE_INFINITY) stream.write('\r\u001b[2K')
      drawnMs = Number.NEGATIVE_INFINITY
    },
  }
}
