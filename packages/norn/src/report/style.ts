/** How text is set off on a terminal; plain where there are no colours. */
import pc from 'picocolors'

export interface Style {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  late(text: string): string
}

export const PLAIN: Style = {
  bold: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  bad: (text) => text,
  late: (text) => text,
}

/** Without a terminal there is room for a line as it stands in a log or a mail. */
const DEFAULT_WIDTH = 100
const WIDTH = { min: 60, max: 120 } as const

/**
 * Characters in a line of a text that is laid out. @param columns of the terminal; by default those
 * of standard output
 */
export function terminalWidth(columns: number | undefined = process.stdout.columns): number {
  return Math.min(WIDTH.max, Math.max(WIDTH.min, columns || DEFAULT_WIDTH))
}

/** @param enabled whether colours are wanted; by default what the terminal and NO_COLOR say */
export function terminalStyle(enabled: boolean = pc.isColorSupported): Style {
  const { bold, dim, green, red, yellow } = pc.createColors(enabled)
  return { bold, dim, good: green, bad: red, late: yellow }
}
