/** An injected fault: `write app.log failed with ENOSPC (injected)`. */
import { type InjectedFault, isShortTransfer } from '../contract/execution.ts'

/** @param what the system call and its file */
export function faultText(what: string, { operation, fault }: Pick<InjectedFault, 'operation' | 'fault'>): string {
  const did = isShortTransfer(fault) ? (operation === 'read' ? 'gave' : 'took') : 'failed with'
  return `${what} ${did} ${fault} (injected)`
}
