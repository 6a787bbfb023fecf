/** Typed arrays that are cheap to make. */

interface ColumnType<Column> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer, at: number, length: number): Column
}

const BLOCK_BYTES = 2 ** 16
const MAX_SHARED_BYTES = 2 ** 12

let block = new ArrayBuffer(BLOCK_BYTES)
let used = 0

/**
 * A typed array of zeros. Small ones are views of a block that they share, as those of Node's `Buffer`
 * do: a check of few operations makes dozens, and a block for each takes longer than the search.
 */
export function column<Column>(type: ColumnType<Column>, length: number): Column {
  const bytes = length * type.BYTES_PER_ELEMENT
  if (bytes > MAX_SHARED_BYTES) return new type(new ArrayBuffer(bytes), 0, length)
  // No part of a block is given twice, so that all are zeros.
  if (used + bytes > BLOCK_BYTES) {
    block = new ArrayBuffer(BLOCK_BYTES)
    used = 0
  }
  const at = used
  used += (bytes + 7) & ~7
  return new type(block, at, length)
}
