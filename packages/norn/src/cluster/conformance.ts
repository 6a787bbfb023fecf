/** `norn fuzz --conformance`: whatever a cluster says, each divergence from its model is a failure. */
import type { ModelBinding } from './definition.ts'

let required = false

/** Sets whether the executions of this process fail where they diverge from a model. */
export function requireConformance(wanted: boolean): void {
  required = wanted
}

/** The binding, strict if the call requires it. */
export function conforming(binding: ModelBinding): ModelBinding {
  if (!required) return binding
  const { agree } = binding
  return { ...binding, disabled: 'fail', ...(agree === undefined ? {} : { agree: { ...agree, differences: 'fail' } }) }
}
