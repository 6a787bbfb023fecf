/** Operations in words. */
import { canonical } from './canonical.ts'

/** An operation on one of several independent objects: the key says which. */
export interface Keyed {
  readonly key?: unknown
}

/** `write(3)`, `read("x") = 4`; arguments that are undefined are left out. */
export function describeCall(
  name: string,
  args: readonly unknown[],
  output?: { readonly value: unknown } | undefined,
): string {
  const texts = args.filter((arg) => arg !== undefined).map(canonical)
  return `${name}(${texts.join(', ')})${output === undefined ? '' : ` = ${canonical(output.value ?? null)}`}`
}
