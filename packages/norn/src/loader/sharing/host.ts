/** What sharing needs of the world and of a loader. */
import type { ProgramCoverage } from '../coverage.ts'
import type { Instance } from '../instance.ts'
import type { FileUnit, Units } from '../units.ts'

/** What loading has done to the world. */
export interface LoadingState {
  /** The values of changed properties of builtins and globals. */
  readonly values: readonly unknown[]
  /** Does it again. */
  repeat(): void
}

/** The world, as far as it shows what loading does. */
interface LoadingWorld {
  /** Tells, by a text, what the execution has done so far. */
  loadingEffects(): string
  /** The same of what modules that load later can see. */
  loadingMarks(): string
  /** How often random numbers were asked for. */
  readonly loadingDraws: number
  /** What loading has done that can be had without it. */
  loadingState(): LoadingState
  /** Calls back when a changed property of a builtin or a global is read or written, until the result is called. */
  watchChanged(found: () => void): () => void
}

export interface SharingOptions {
  readonly world: LoadingWorld
  /** Called before each step of preparing, which is no work of the execution that is under way. */
  readonly working?: () => void
  /** The execution in which preparing begins; by default that by which it pays. */
  readonly from?: number
}

export interface SharingHost {
  readonly options: SharingOptions
  readonly units: Units
  readonly coverage: ProgramCoverage | undefined
  readonly scopes: {
    /** Compiles a module so that its scopes can be read; whether all of them can be. */
    areReadable(unit: FileUnit): boolean
    numberOf(unit: FileUnit): number
    /** Gives a module back the build of before. */
    release(unit: FileUnit): void
  }
  instantiate(): Instance
}
