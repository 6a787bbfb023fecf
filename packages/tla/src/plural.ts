/** `1 state`, `2 states`; `many` where the plural is not formed by an \`s\`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
