/**
 * Modules that a runner runs once before all tests, in its own process: `globalSetup` of vitest and jest.
 *
 * A server that ran outside of norn's control could not be reached, and its answers would come when they come. So each
 * execution runs them, before it begins to choose, in a thread: modules and globals of their own, as in a process of
 * their own. What they leave running ends with the execution; their `teardown` is not called.
 */
import type { Framework, FrameworkHost } from '../framework.ts'
import { testConfigurationOf } from '../test-configuration.ts'

/** For the module that starts the thread. */
export interface GlobalSetup {
  readonly asked: Asked
  provide(values: Readonly<Record<string, unknown>>): void
}

/** For the thread. */
export interface Asked {
  /** Absolute paths. */
  readonly files: readonly string[]
  readonly runner: string | undefined
  readonly root: string
}

/** What the thread sends. */
export interface Provided {
  readonly values: Readonly<Record<string, unknown>>
  /** The variables of the environment that it has set. */
  readonly env: Readonly<Record<string, string>>
}

const provided = new WeakMap<FrameworkHost, Readonly<Record<string, unknown>>>()

/** Vitest's `inject`, for a file of tests. */
export function injecting(host: FrameworkHost): (name: string) => unknown {
  return (name) => provided.get(host)?.[name]
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** The module that starts the thread. */
export const STARTING_THREAD: string = new URL(`./starting-thread.${EXTENSION}`, import.meta.url).pathname

/** By what it learns what to do. */
export const globalSetup: Framework = {
  specifier: 'norn:global-setup',
  module: (host) => {
    const { globalSetup: files, runner, folder: root } = testConfigurationOf(host.file, true)
    return { asked: { files, runner, root }, provide: (values) => provided.set(host, values) } satisfies GlobalSetup &
      object
  },
  leavesNothing: () => true,
}
