/** An injected fault: `write app.log failed with ENOSPC (injected)`. */
import { formOf, type InjectedFault } from '../contract/execution.ts'

/** @param what the system call and its file */
export function faultText(what: string, { operation, fault }: Pick<InjectedFault, 'operation' | 'fault'>): string {
  const form = formOf(fault)
  if (form === 'event') return `${what} ${fault} (injected)`
  const did = form === 'short' ? (operation === 'read' ? 'gave' : 'took') : 'failed with'
  return `${what} ${did} ${fault} (injected)`
}
