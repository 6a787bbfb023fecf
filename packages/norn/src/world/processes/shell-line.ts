/**
 * The words and operators of a shell's command line. Follows the quoting rules of POSIX (XCU 2.2), and
 * its expansion of variables (2.6.2) where the value is one word. Pure.
 */

export type Token =
  | { readonly word: string }
  | { readonly operator: string }
  /** Of a variable, for the program that follows. */
  | { readonly assigned: readonly [name: string, value: string] }

/** A part of a word: quoted, escaped, a variable, or of characters that no shell treats specially. */
const PART =
  /'([^']*)'|"((?:[^"\\`]|\\[\s\S])*)"|\\([^\n])|\$(?:\{(\w+)\}|([A-Za-z_]\w*))|([^\s'"\\|&;<>()$`*?[\]#~=!{}]+|=)/y

/** `>&2`, `2>&1`, and what nobody reads. */
const REDIRECTION = /(?:1?>&2|2>&1|[12]?> ?\/dev\/null)(?=[\s;&|]|$)/y

const OPERATOR = /&&|\|\||\||;/y

const NAME = /^[A-Za-z_]\w*$/

/** Characters that a shell splits at, or takes for a pattern, in a value that is not quoted. */
const SPLIT = /[\s*?[\]]/

/**
 * @param env the values of variables; without it, a line with variables has no words
 *
 * @returns undefined if the line has other operators, expansions or patterns, or assigns for more than one program
 */
export function tokensOf(line: string, env?: Readonly<Record<string, string>>): Token[] | undefined {
  const tokens: Token[] = []
  const text = line.trim()
  if (text.includes('\n')) return undefined
  let word: string | undefined
  let name: string | undefined
  const endWord = () => {
    if (name !== undefined) tokens.push({ assigned: [name, word!] })
    else if (word !== undefined) tokens.push({ word })
    word = name = undefined
  }
  const isBeforeProgram = () => {
    const last = tokens.at(-1)
    return last === undefined || 'assigned' in last || ('operator' in last && !last.operator.includes('>'))
  }
  for (let at = 0; at < text.length; ) {
    const gap = match(/[ \t]+/y, text, at)
    const redirection = gap ?? match(REDIRECTION, text, at)
    // A digit that ends a word names no descriptor.
    if (gap === null && redirection !== null && word !== undefined && /^\d/.test(redirection[0])) return undefined
    const operator = redirection ?? match(OPERATOR, text, at)
    if (operator !== null) {
      endWord()
      if (gap === null) tokens.push({ operator: operator[0].replace(/^1|\s/g, '') })
      at += operator[0].length
      continue
    }
    const part = match(PART, text, at)
    if (part === null) return undefined
    const [whole, single, double, escaped, braced, named, plain] = part
    if (plain === '=' && name === undefined && NAME.test(word ?? '') && isBeforeProgram()) {
      name = word
      word = ''
      at += whole.length
      continue
    }
    const value = double === undefined ? variable(braced ?? named, env) : expanded(double, env)
    if (single === undefined && escaped === undefined && plain === undefined && value === undefined) return undefined
    word = (word ?? '') + (single ?? escaped ?? plain ?? value!)
    at += whole.length
  }
  endWord()
  return tokens
}

/**
 * The words of a line that runs one program.
 *
 * @returns undefined if it has operators, or is empty; see `tokensOf`
 */
export function wordsOf(line: string, env?: Readonly<Record<string, string>>): string[] | undefined {
  const words: string[] = []
  for (const token of tokensOf(line, env) ?? []) {
    if (!('word' in token)) return undefined
    words.push(token.word)
  }
  return words.length === 0 ? undefined : words
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** A variable that is not quoted: one word, or nothing that a shell would split. */
function variable(name: string | undefined, env: Readonly<Record<string, string>> | undefined): string | undefined {
  const value = name === undefined ? undefined : env?.[name]
  return value === undefined || value === '' || SPLIT.test(value) ? undefined : value
}

/** The text between double quotes; undefined if it has an expansion that is not a variable. */
function expanded(text: string, env: Readonly<Record<string, string>> | undefined): string | undefined {
  let isPlain = true
  const whole = text.replaceAll(
    /\\([\\"$`])|\$(?:\{(\w+)\}|([A-Za-z_]\w*))|\$(?=[({\d@*#?$!-])/g,
    (all, escaped, braced, named) => {
      if (escaped !== undefined) return escaped
      const name = braced ?? named
      if (env === undefined || name === undefined) isPlain = false
      return name === undefined ? all : (env?.[name] ?? '')
    },
  )
  return isPlain ? whole : undefined
}
