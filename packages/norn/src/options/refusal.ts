/** How a wrong value of an option is refused. */

/** Throws an error with the text, which its caller completes by where the option stands. */
export type Refuse = (why: string) => never

/** A wrong value in a message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : Array.isArray(value) ? 'an array' : String(value)
}
