/**
 * Nothing is ever late: the order that stock Node shows on an idle machine. The baseline of every
 * comparison.
 */
import type { Strategy } from './strategy.ts'

export const natural: Strategy = {
  name: 'natural',
  byChance: true,
  begin: () => () => 0,
}
