/** Names that say nothing: `_` is for one value that is not used, and a second has no name left. */
import type { Problem, SourceFile } from './sources.ts'

const UNDERSCORES = /(?<![\w'"`./])_{2,}(?=\s*[,:=)}\]])/

export function namesOfUnderscores(files: readonly SourceFile[]): Problem[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const isComment = /^\s*(?:\/\/|\/?\*)/.test(line)
      if (isComment || !UNDERSCORES.test(line)) return []
      return [{ where: `${path}:${index + 1}`, what: `\`${line.trim()}\`` }]
    }),
  )
}
