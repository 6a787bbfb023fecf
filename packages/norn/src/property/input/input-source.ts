/** Inputs as JavaScript, to paste into `examples`, and into scripts. */
import { uneval } from 'devalue'
import type { SavedInput } from '../../contract/plan.ts'
import { loadInput } from './saved-input.ts'

/** The values by name as an object literal; undefined if the body draws values too, or it cannot be read. */
export function inputSource(input: SavedInput | undefined): string | undefined {
  if (input === undefined || input.draws.length > 0) return undefined
  try {
    return uneval(loadInput(input).values)
  } catch {
    return undefined
  }
}
