/** What `norn protocol check` finds. */
export type Verdict = 'passed' | 'failed' | 'warning' | 'skipped'

export interface CheckResult {
  readonly check: string
  readonly verdict: Verdict
  /** One line. */
  readonly text: string
  /** What was sent and received, if that helps. */
  readonly details?: string
}
