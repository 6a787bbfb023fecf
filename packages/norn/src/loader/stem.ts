/**
 * A prefix for generated names that does not occur in a source text. Six characters, as many as
 * `import`, so that replacing that keyword moves no column.
 */
export function stemFor(source: string): string {
  if (!source.includes('_norn_')) return '_norn_'
  for (let n = 0; n < 1296; n++) {
    const stem = `_n${n.toString(36).padStart(2, '0')}__`
    if (!source.includes(stem)) return stem
  }
  throw new Error('no prefix is free for generated names')
}
