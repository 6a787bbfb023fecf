/** What a search in open mode cannot promise. */

/** @param open the names of the open addresses */
export function openText(open: string): string {
  return `open: ${open}. Real sockets, so executions do not repeat exactly, and there is no estimate of what remains`
}
