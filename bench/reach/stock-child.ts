/** Runs the body of the first property of a file once, on stock Node without norn's world. */
import { installEnvironment } from '../../packages/norn/src/frameworks/environment.ts'
import { testConfigurationOf } from '../../packages/norn/src/frameworks/test-configuration.ts'
import { collectProperties } from '../../packages/norn/src/property/property.ts'

const file: string = JSON.parse(process.argv[2]!)
const refuse = (what: string): never => {
  throw new Error(what)
}
installEnvironment({ file, refuse, outside: (action) => action() }, testConfigurationOf(file, false).environment)
const collected = collectProperties()
await import(file)
await collected.finish()[0]!.body({})
// What a program leaves open, such as a socket kept alive, must not keep this process.
process.exit(0)
