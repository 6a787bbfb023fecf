/** Lists the properties of a file by evaluating a fresh instance of it under the world. */
import { describeReason } from '../contract/inconclusive.ts'
import { declareRootHooks } from '../frameworks/mocha.ts'
import type { Loader } from '../loader/loader.ts'
import { collectProperties, type Property } from '../property/property.ts'
import { whenDone } from '../property/suites.ts'
import { Tape } from '../tape/tape.ts'
import type { World } from '../world/world.ts'
import { describeFailure } from './describe-failure.ts'
import { type Positions, readableStack } from './frames.ts'
import { inMacrotask } from './macrotask.ts'
import { type Probed, probe } from './probe.ts'

/** A file of properties could not be loaded; `message` gives the reason and the source lines. */
export class PropertiesNotLoaded extends Error {
  readonly why: 'loading' | 'void'
  /** Whether the message names source lines. */
  readonly located: boolean

  constructor(why: 'loading' | 'void', what: string, frames: readonly string[] = []) {
    super([what, ...frames].join('\n'))
    this.name = 'PropertiesNotLoaded'
    this.why = why
    this.located = frames.length > 0
  }
}

/**
 * @param asTheyAre whether tests of frameworks count as they are, and not as the properties that they assert
 * @throws PropertiesNotLoaded
 */
export async function listProperties(
  world: World,
  loader: Loader,
  file: string,
  positions: Positions,
  asTheyAre = false,
): Promise<readonly ProbedProperty[]> {
  let properties: readonly Property[] = []
  const load = () =>
    declaredBy(
      loader,
      file,
      (declared) => {
        properties = declared
      },
      { keepsPlaces: asTheyAre },
    )
  const report = await inMacrotask(() =>
    world.execute(new Tape(() => undefined), {
      load,
      body: () => {},
      isOfRunner: () => asTheyAre,
    }),
  )
  const { ending } = report
  if (ending.kind === 'failed') {
    const { stack } = describeFailure(ending.failure.kind, ending.failure.error, positions)
    throw new PropertiesNotLoaded('loading', stack)
  }
  if (ending.kind === 'inconclusive') {
    const [, ...frames] = readableStack(ending.stack, positions).split('\n')
    throw new PropertiesNotLoaded('void', describeReason(ending.reason), frames)
  }
  if (asTheyAre) return properties.filter(({ test }) => test !== undefined).map((each) => ({ ...each, examples: 0 }))
  const probed: ProbedProperty[] = []
  for (const property of properties) {
    const fresh = () => declaredBy(loader, file, (declared) => findProperty(declared, property.name, file))
    probed.push({ ...property, ...(await probe(world, property, fresh)) })
  }
  return probed
}

/** A listed property, or a test with the reason why it is not one. */
export type ProbedProperty = Property & Probed

/**
 * Evaluates a fresh instance of a file, behind the modules of `setup`, and passes on its declarations;
 * synchronously, unless a module uses top-level await.
 *
 * @param options.trace whether comparisons are traced
 * @param options.isChecked whether an earlier evaluation checked the declarations
 * @param options.keepsPlaces whether to keep where each test is declared
 * @param options.isAlone whether all modules are evaluated, also those that other executions share
 */
export function declaredBy<Taken>(
  loader: Loader,
  file: string,
  take: (declared: readonly Property[]) => Taken,
  { trace = false, isChecked = false, isAlone = true, keepsPlaces = false } = {},
): Taken | Promise<Taken> {
  const collected = collectProperties(isChecked, keepsPlaces)
  const own = [...loader.setup, file]
  const instance = loader.instantiate({ trace, isAlone, own })
  const evaluated = (path: string) => {
    if (path === file) return instance.evaluate(path)
    const exports = instance.import(path)
    return exports instanceof Promise ? exports.then(declareRootHooks) : declareRootHooks(exports)
  }
  const run = (paths: readonly string[]): void | Promise<void> => {
    for (const [at, path] of paths.entries()) {
      const running = evaluated(path)
      if (running instanceof Promise) return running.then(() => run(paths.slice(at + 1)))
    }
  }
  const loaded = run(own)
  const finish = () => {
    loader.loaded(instance)
    return whenDone(collected.settled(file), () => take(collected.finish())) as Taken | Promise<Taken>
  }
  return loaded instanceof Promise ? loaded.then(finish) : finish()
}

/** Finds a property by name. @throws Error that lists the properties of the file */
export function findProperty(properties: readonly Property[], name: string, file: string): Property {
  const found = properties.find((property) => property.name === name)
  if (found !== undefined) return found
  const names = properties.map((property) => `'${property.name}'`).join(', ')
  throw new Error(`${file} declares no property '${name}'; it declares ${names === '' ? 'none' : names}`)
}
