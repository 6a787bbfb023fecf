/**
 * What was going on when a scenario failed: what an author needs to see why something did not come
 * true.
 */
import type { ClusterView } from '../definition.ts'
import { entryText, messageText } from './entry-text.ts'
import type { Rule } from './rule.ts'

/** Entries of the log and messages under way that are shown. */
const [SHOWN_ENTRIES, SHOWN_MESSAGES] = [12, 8]

/** The last entries of the log, what is under way, what is held, and who is down. */
export function situationText({ log, messages, nodes }: ClusterView, rules: readonly Rule[]): readonly string[] {
  return [
    ...section('what happened last', log.slice(-SHOWN_ENTRIES).map(entryText), log.length),
    ...section('under way', messages.slice(0, SHOWN_MESSAGES).map(messageText), messages.length),
    ...rules.filter(({ held }) => held.size > 0).map((rule) => `held by ${rule.text}: ${rule.held.size}`),
    ...nodes.filter(({ up }) => !up).map(({ id }) => `down: ${id}`),
  ]
}

function section(title: string, lines: readonly string[], count: number): string[] {
  if (lines.length === 0) return []
  return [
    `${title}${count > lines.length ? ` (${lines.length} of ${count})` : ''}:`,
    ...lines.map((line) => `  ${line}`),
  ]
}
