/** Runs the body of the first property of a file once, on stock Node without norn's world. */
import { collectProperties } from '../../packages/norn/src/property/property.ts'

const collected = collectProperties()
await import(JSON.parse(process.argv[2]!))
await collected.finish()[0]!.body({})
// What a program leaves open, such as a socket kept alive, must not keep this process.
process.exit(0)
