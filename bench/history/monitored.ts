/** A history as it happens. */
import type { History } from '../../packages/history/src/history/operation.ts'
import { LinearizabilityMonitor } from '../../packages/history/src/linearizability/monitor.ts'
import type { LinearizabilityResult } from '../../packages/history/src/linearizability/result.ts'
import type { ObjectModel } from '../../packages/history/src/models/model.ts'

/** The result of a monitor that is told of the calls and returns of a history in the order of time. */
export function monitored({ operations }: History, model: ObjectModel): LinearizabilityResult {
  const events = operations
    .flatMap(({ call, return: returned }, index) => [
      { at: call, isCall: true, index },
      { at: returned, isCall: false, index },
    ])
    .sort((a, b) => (a.at === b.at ? Number(b.isCall) - Number(a.isCall) : a.at - b.at))
  const monitor = new LinearizabilityMonitor(model)
  for (const { index, isCall } of events) {
    const { process, input, output, outcome } = operations[index]!
    if (isCall) monitor.call(index, process, input)
    else if (monitor.return(index, output, outcome) !== undefined) break
  }
  return monitor.result()
}
