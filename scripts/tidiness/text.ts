/** What a line of source may not hold. */
import type { Problem, SourceFile } from './sources.ts'

export const MAX_LINE = 120

/** Quoted texts cannot be broken; they count as their quotes. */
const QUOTED =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`|\/(?:[^/\\\n*]|\\.)(?:[^/\\\n]|\\.)*\/[a-z]*/g
const BACKTICK = /(?<!\\)`/g

/** The calls that leave out all other tests of a file. */
const FOCUSED = /^\s*(?:it|test|describe|suite|fuzz|cluster)(?:\.\w+)*\.only\(/

export function longLines(files: readonly SourceFile[]): Problem[] {
  return outsideOfTexts(files).flatMap(({ where, line }) => {
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(line)
    const { length } = isComment ? line : line.replace(QUOTED, "''")
    return length > MAX_LINE ? [{ where, what: `the line has ${length} characters` }] : []
  })
}

export function focusedTests(files: readonly SourceFile[]): Problem[] {
  const tests = files.filter(({ path }) => path.endsWith('.test.ts') || path.endsWith('.fuzz.ts'))
  return outsideOfTexts(tests).flatMap(({ where, line }) =>
    FOCUSED.test(line) ? [{ where, what: `\`${line.trim()}\`` }] : [],
  )
}

/** The last argument of `test` or of a hook, behind its function: on the same line, or between lines. */
const LIMIT = /^\s*\}, (?:[\d_]{3,}|[A-Z_]+)\)$/
const LIMIT_BETWEEN = /^\s*\},\n\s*(?:[\d_]{3,}|[A-Z_]+),\n\s*\)$/

export function limitedTests(files: readonly SourceFile[]): Problem[] {
  const lines = outsideOfTexts(files.filter(({ path }) => path.endsWith('.test.ts')))
  return lines.flatMap(({ where, line }, at) => {
    const around = [lines[at - 1]?.line, line, lines[at + 1]?.line].join('\n')
    return LIMIT.test(line) || LIMIT_BETWEEN.test(around) ? [{ where, what: `\`${line.trim()}\`` }] : []
  })
}

/** The lines that do not begin or end inside a text of several lines. */
function outsideOfTexts(files: readonly SourceFile[]): { where: string; line: string }[] {
  return files.flatMap(({ path, lines }) => {
    let isInside = false
    return lines.flatMap((line, index) => {
      const began = isInside
      const isComment = !isInside && /^\s*(?:\/\/|\/?\*)/.test(line)
      if (!isComment && (line.match(BACKTICK)?.length ?? 0) % 2 === 1) isInside = !isInside
      return began || isInside ? [] : [{ where: `${path}:${index + 1}`, line }]
    })
  })
}
