/** Tags of an article in one line of text, as a query string has them. */
export function encode(tags: readonly string[]): string {
  return tags.map((tag) => tag.replaceAll(' ', '+')).join(',')
}

export function decode(line: string): string[] {
  return line === '' ? [] : line.split(',').map((tag) => tag.replaceAll('+', ' '))
}

/** Counts each tag, the most frequent first; equally frequent tags in the order of their first occurrence. */
export function ranking(tags: readonly string[]): [tag: string, count: number][] {
  const counts = new Map<string, number>()
  for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
