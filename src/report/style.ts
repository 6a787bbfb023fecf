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

/** @param enabled whether colours are wanted; by default what the terminal and NO_COLOR say */
export function terminalStyle(enabled: boolean = pc.isColorSupported): Style {
  const { bold, dim, green, red, yellow } = pc.createColors(enabled)
  return { bold, dim, good: green, bad: red, late: yellow }
}
