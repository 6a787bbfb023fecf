/** Numbers in messages: the one place that words plurals and thousands. */

/** `1,234,567`. */
export function numberText(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 step`, `2,000 steps`; `many` is for plurals without an `s`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}
