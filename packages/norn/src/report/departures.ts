/** The steps in which a cluster's schedule departs from the default schedule: they cause the failure. */
import type { ClusterRecord } from '../contract/cluster-record.ts'
import { plural } from '../contract/text.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** Steps that are shown; of more, the first and the last ones. */
const MAX_STEPS = 40

const PASSED_OVER = '(not possible, skipped)'

export function departuresText({ steps, log }: ClusterRecord, style: Style, all = false): string[] {
  const seen = new Set(log.map(({ step }) => step))
  const width = Math.max(0, ...steps.map(([ordinal]) => String(ordinal).length))
  const lines = steps.map(([ordinal, text]) => {
    const line = `step ${String(ordinal).padStart(width)}: ${printableLine(text)}`
    return seen.has(ordinal) ? line : style.dim(`${line} ${PASSED_OVER}`)
  })
  if (all || lines.length <= MAX_STEPS) return lines
  const half = MAX_STEPS / 2
  return [...lines.slice(0, half), style.dim(`… ${lines.length - MAX_STEPS} more`), ...lines.slice(-half)]
}

export function departuresTitle(record: ClusterRecord): string {
  const { leftOut = [] } = record
  if (leftOut.length === 0) return stepsTitle(record)
  const which = `${leftOut.length === 1 ? 'request' : 'requests'} ${leftOut.join(', ')}`
  return `${stepsTitle(record)}; without ${which} of the cluster's list`
}

function stepsTitle({ steps, log }: ClusterRecord): string {
  const calm = log.findIndex(({ kind }) => kind === 'calm')
  const last = (calm < 0 ? log : log.slice(0, calm)).at(-1)?.step ?? -1
  if (steps.length === 0) return 'fails under the default schedule'
  const taken = Math.max(last, steps.at(-1)![0]) + 1
  return `${steps.length} of ${plural(taken, 'step')} ${steps.length === 1 ? 'departs' : 'depart'} from the default schedule`
}
