/** Emphasis on a terminal; plain text where there are no colours. */
import type { Style } from '#shared/terminal-style'

export { type Style, terminalStyle } from '#shared/terminal-style'

export const PLAIN: Style = {
  bold: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  bad: (text) => text,
  warning: (text) => text,
}

/** Without a terminal: as wide as a line of a log or a mail. */
const DEFAULT_WIDTH = 100
const WIDTH = { min: 60, max: 120 } as const

/**
 * The width of laid-out text, in characters.
 *
 * @param columns of the terminal; those of standard output by default
 */
export function terminalWidth(columns: number | undefined = process.stdout.columns): number {
  return Math.min(WIDTH.max, Math.max(WIDTH.min, columns || DEFAULT_WIDTH))
}
