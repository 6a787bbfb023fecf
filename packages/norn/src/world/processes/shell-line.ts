/**
 * The words of a shell's command line, where it runs one program. Follows the quoting rules of POSIX
 * (XCU 2.2). Pure.
 */

/** A part of a word: quoted, escaped, or of characters that no shell treats specially. */
const PART = /'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|\\([^\n])|([^\s'"\\|&;<>()$`*?[\]#~=!{}]+|=)/y

/**
 * @returns undefined if the line has operators, expansions, patterns or assignments, or is empty
 */
export function wordsOf(line: string): string[] | undefined {
  const words: string[] = []
  const text = line.trim()
  if (text.includes('\n')) return undefined
  let at = 0
  let word: string | undefined
  while (at < text.length) {
    const blank = /[ \t]+/y
    blank.lastIndex = at
    const gap = blank.exec(text)
    if (gap !== null) {
      if (word !== undefined) words.push(word)
      word = undefined
      at += gap[0].length
      continue
    }
    PART.lastIndex = at
    const part = PART.exec(text)
    if (part === null) return undefined
    const [whole, single, double, escaped, plain] = part
    // An assignment before the program.
    if (plain === '=' && words.length === 0) return undefined
    word = (word ?? '') + (single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped ?? plain!)
    at += whole.length
  }
  if (word !== undefined) words.push(word)
  return words.length === 0 ? undefined : words
}
