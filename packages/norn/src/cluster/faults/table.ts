/** The kinds of faults, in the order in which random steps and mutators have them. */
import { crash } from './crash.ts'
import { drop } from './drop.ts'
import { duplicate } from './duplicate.ts'
import type { Fault } from './fault.ts'
import { partition } from './partition.ts'

const KINDS = [drop, duplicate, crash, partition] as const

export const FAULTS: readonly Fault[] = KINDS

/**
 * How often each fault may happen in one execution. Default: 0.
 *
 * @public
 */
export type FaultQuotas = { readonly [Option in (typeof KINDS)[number]['option']]?: number }
