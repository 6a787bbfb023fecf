/** The domain that searches a kind of property. */
import type { Property } from '../property/property.ts'
import type { Domain } from '../search/domain.ts'
import { clusterDomain } from './cluster/domain.ts'
import { kindOf } from './kinds.ts'
import { latencyDomain } from './latency/domain.ts'

export function domainOf({ kind }: { readonly kind?: Property['kind'] | undefined }): Domain {
  return kindOf(kind).hasSteps ? clusterDomain : latencyDomain
}
