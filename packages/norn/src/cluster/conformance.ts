/** `norn fuzz --conformance`: whatever a cluster says, each divergence from its model is a failure. */
import type { ModelBinding } from './definition.ts'

export function conforming(binding: ModelBinding): ModelBinding {
  const { agree } = binding
  return { ...binding, disabled: 'fail', ...(agree === undefined ? {} : { agree: { ...agree, differences: 'fail' } }) }
}
