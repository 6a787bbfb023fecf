/**
 * Parses programs that import the source of a module: `import source x from 'y'`, `import.source()`.
 *
 * acorn does not know these forms. Where it fails at one, the form is read as the usual import, at
 * the same offsets. Invariant: a program that acorn parses is parsed once, and one that this Node
 * rejects is rejected.
 */
import vm from 'node:vm'
import { type Options, type Program, parse } from 'acorn'

export interface Parsed {
  readonly program: Program
  /** The offsets of the imports of sources. */
  readonly sources: ReadonlySet<number>
}

const isKnown = (() => {
  try {
    return new vm.Script(`import.source('')`) !== undefined
  } catch {
    return false
  }
})()

/** Throws the errors of acorn. @param parseText acorn's `parse`, or one like it */
export function parsePhases(source: string, options: Options, parseText = parse): Parsed {
  const sources = new Set<number>()
  for (let text = source; ; ) {
    try {
      return { program: parseText(text, options), sources }
    } catch (error) {
      const found = isKnown ? phaseAt(text, (error as { pos?: number }).pos ?? 0) : undefined
      if (found === undefined) throw error
      sources.add(found.start)
      text = text.slice(0, found.from) + ' '.repeat(found.to - found.from) + text.slice(found.to)
    }
  }
}

/** The import whose phase stands at an error of acorn, and the text that acorn must not see. */
function phaseAt(text: string, at: number): { start: number; from: number; to: number } | undefined {
  const statement = /\bimport(\s+source\s+)$/.exec(text.slice(0, at))
  if (statement !== null) return { start: statement.index, from: statement.index + 'import'.length, to: at }
  const call = /\bimport\s*\.\s*$/.exec(text.slice(0, at))
  if (call === null || !/^source\s*\(/.test(text.slice(at))) return undefined
  return { start: call.index, from: call.index + 'import'.length, to: at + 'source'.length }
}

/** The text with `import.source()` as `import()`, for a lexer that does not know it. */
export function withoutPhases(text: string): string {
  return text.replace(/\bimport\s*\.\s*source(?=\s*\()/g, (found) => 'import'.padEnd(found.length))
}
