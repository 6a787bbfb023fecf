/** The source around the line at which an execution failed. */
import { type ExecutionResult, isOwn, placesOf } from '../contract/execution.ts'
import { sourceText } from './project-source.ts'
import type { Style } from './style.ts'

const AROUND = 1
const MAX_WIDTH = 100

/**
 * The source around the innermost frame of the project's own code; empty if there is no such frame
 * or file.
 */
export function excerptOf({ failure }: ExecutionResult, root: string, style: Style): string[] {
  if (failure === undefined) return []
  const frame = placesOf(failure).find(isOwn)
  if (frame === undefined) return []
  const text = sourceText(root, frame.file)
  return text === undefined ? [] : excerpt(text, frame.line, style)
}

/** @param line counted from 1; nothing is shown of a line that the text does not have */
export function excerpt(text: string, line: number, style: Style): string[] {
  const lines = text.split(/\r?\n/)
  if (line < 1 || line > lines.length) return []
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + AROUND)
  const shown = lines.slice(first - 1, last)
  const indent = Math.min(...shown.filter((each) => each.trim() !== '').map((each) => each.search(/\S/)), MAX_WIDTH)
  const width = String(last).length
  return shown.map((each, index) => {
    const number = first + index
    const code = each.slice(indent, indent + MAX_WIDTH)
    const whole = `${number === line ? '>' : ' '} ${String(number).padStart(width)} │ ${code}`.trimEnd()
    return number === line ? whole : style.dim(whole)
  })
}
