/** Emphasis on a terminal; plain text where there are no colours. */
import pc from 'picocolors'

export interface Style {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warning(text: string): string
}

/** @param enabled whether to use colours; by default as the terminal and NO_COLOR say */
export function terminalStyle(enabled: boolean = pc.isColorSupported): Style {
  const { bold, dim, green, red, yellow } = pc.createColors(enabled)
  return { bold, dim, good: green, bad: red, warning: yellow }
}
