import { behavesAsAMap } from './behaves-as-a-map.ts'
import { Cache } from './cache.ts'

behavesAsAMap('a cache behaves as a map', () => new Cache())
