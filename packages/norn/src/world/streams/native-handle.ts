/** The native handles behind those that norn serves. */

/** How handles of a class are closed for real, captured before their methods are replaced. */
export function nativeCloser(prototype: Record<string, unknown>): (handle: object) => void {
  const { close, unref } = prototype as Record<'close' | 'unref', Function>
  return (handle) => {
    // Until the real loop turns, a closing handle with a reference counts as active.
    Reflect.apply(unref, handle, [])
    Reflect.apply(close, handle, [])
  }
}
