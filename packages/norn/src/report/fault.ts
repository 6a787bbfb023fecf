/** An injected fault as a person reads it: `write app.log failed with ENOSPC (injected)`. */
import { type InjectedFault, isShortTransfer } from '../contract/execution.ts'

/** @param what the system call and what it works on */
export function faultText(what: string, { operation, fault }: Pick<InjectedFault, 'operation' | 'fault'>): string {
  const did = isShortTransfer(fault) ? (operation === 'read' ? 'gave' : 'took') : 'failed with'
  return `${what} ${did} ${fault} (injected)`
}
