/**
 * Lists in the shape of a message, whatever their length: `done: #,#,#` is `done: #`, and `[ #, # ]`,
 * `[#]` and `[]` are `[]`. How many values a message lists follows from the input, as the values do.
 */

/** Stand for brackets that were read: a list, a record of values, other text in brackets or braces. */
const [LIST, RECORD, OPENED, CLOSED, BEGUN, ENDED] = ['\ue001', '\ue002', '\ue003', '\ue004', '\ue005', '\ue006']
const READ = { [LIST]: '[]', [RECORD]: '{}', [OPENED]: '[', [CLOSED]: ']', [BEGUN]: '{', [ENDED]: '}' }

const INNERMOST = /\[([^[\]{}]*)\]|\{([^[\]{}]*)\}/g
/** Deeper brackets stay as they are. */
const MAX_DEPTH = 20

/** One value, where numbers and quoted text have been replaced. */
const WORD = String.raw`(?:\b(?:true|false|null|undefined|NaN)\b|-?\bInfinity\b|\.\.\. # more items?|…(?:\(#\))?)`
const VALUE = `(?:-?(?<!#)#+|"…"|'…'|\`…\`|${LIST}|${RECORD})`
const ANY = `(?:${VALUE}|${WORD}|${BEGUN}[^${BEGUN}${ENDED}]*${ENDED})`
const BETWEEN = String.raw`\s*(?:,|;|\||=>|->|→)\s*`
const LISTED = new RegExp(`${VALUE}(?:(?:${BETWEEN}|\\s+)${VALUE})+|${ANY}(?:${BETWEEN}${ANY})+`, 'g')
/** One letter several times, as texts of a length are made. */
const REPEATED = /(\p{L})\1{2,}/gu
const WORDS = /(?<![^\s,:;()])[^\s,:;()]+(?:,[^\s,:;()]+)+/g
const VALUES = new RegExp(`^\\s*(?:${ANY}(?:(?:${BETWEEN}|\\s*:\\s*)${ANY})*)?\\s*$`)

/** The shape with one value for each list. */
export function withoutLengths(shape: string): string {
  let text = shape
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const outer = text.replace(INNERMOST, (_, inBrackets?: string, inBraces?: string) =>
      inBrackets === undefined ? recordShape(inBraces!) : listShape(inBrackets),
    )
    if (outer === text) break
    text = outer
  }
  return collapsed(text).replace(/[\ue001-\ue006]/g, (mark) => READ[mark]!)
}

function listShape(content: string): string {
  return content.includes(',') || VALUES.test(content) ? LIST : `${OPENED}${content}${CLOSED}`
}

function recordShape(content: string): string {
  return VALUES.test(content) ? RECORD : `${BEGUN}${collapsed(content)}${ENDED}`
}

function collapsed(text: string): string {
  return text.replace(REPEATED, '#').replace(LISTED, '#').replace(WORDS, '#')
}

/** The first line of a message; further lines where brackets that it opens are closed on one. */
export function firstStatement(message: string): string {
  const [first = '', ...rest] = message.split('\n', MAX_LINES)
  let open = opened(first)
  for (let lines = 0; open > 0 && lines < rest.length; lines++) {
    open += opened(rest[lines]!)
    if (open <= 0) return [first, ...rest.slice(0, lines + 1)].join('\n')
  }
  return first
}

const MAX_LINES = 200

function opened(line: string): number {
  const brackets = line.replace(/(["'`])(?:(?!\1).)*\1/g, '').match(/[[\]{}]/g) ?? []
  return brackets.reduce((open, bracket) => open + (bracket === '[' || bracket === '{' ? 1 : -1), 0)
}
