import { behavesAsAMap } from './behaves-as-a-map.ts'
import { FixedCache } from './cache.ts'

behavesAsAMap('a cache whose operations wait behaves as a map', () => new FixedCache())
