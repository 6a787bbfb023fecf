/** An injected fault: `injected ENOSPC: write app.log`. A picture cuts the end, so what it is stands first. */
import { formOf, type InjectedFault } from '../contract/execution.ts'

/** @param what the system call and its file */
export function faultText(what: string, { operation, fault }: Pick<InjectedFault, 'operation' | 'fault'>): string {
  const form = formOf(fault)
  if (form === 'error') return `injected ${fault}: ${what}`
  const did = form === 'event' ? '' : operation === 'read' ? 'gave ' : 'took '
  return `injected: ${what} ${did}${fault}`
}
