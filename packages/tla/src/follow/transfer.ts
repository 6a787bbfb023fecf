/** Values of one arena as those of another: when an arena has grown too large, what is still needed moves to a new one. */
import type { Arena } from '../values/arena.ts'
import type { Canonical, SetValue } from '../values/value.ts'

export function transfer(arena: Arena, value: Canonical): Canonical {
  if (typeof value !== 'object') return value
  const part = (item: Canonical) => transfer(arena, item)
  switch (value.kind) {
    case 'string':
      return arena.string(value.text)
    case 'model value':
      return arena.modelValue(value.text)
    case 'set':
      return arena.set(value.elements.map(part))
    case 'tuple':
      return arena.tuple(value.elements.map(part))
    case 'record':
      return arena.record(arena.shape(value.shape.names), value.elements.map(part))
    case 'function':
      return arena.function(transfer(arena, value.domain) as SetValue, value.elements.map(part))
  }
}
