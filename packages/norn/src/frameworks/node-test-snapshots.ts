/**
 * `t.assert.snapshot` and `t.assert.fileSnapshot` of node:test: compared by Node's own code, and never
 * written.
 */
import { requireInternal } from '../loader/internals.ts'
import type { FrameworkHost } from './framework.ts'

type Assertion = (this: object, ...args: unknown[]) => void

interface SnapshotManager {
  createAssert(): Assertion
  createFileAssert(): Assertion
  resolveSnapshotFile(file: string): { readFile(): void }
}

interface NodeSnapshots {
  readonly assertions: Readonly<Record<'snapshot' | 'fileSnapshot', Assertion>>
  /** Begins an ordinary test. Outside of those, where values are generated, snapshots pass. */
  forget(): void
}

export function nodeSnapshots({ file, outside }: FrameworkHost): NodeSnapshots {
  let manager: SnapshotManager | undefined
  const assertions = {
    snapshot: function snapshot(this: object, ...args: unknown[]) {
      // Node evaluates the file in a context of its own.
      outside(() => manager?.resolveSnapshotFile(file).readFile())
      manager?.createAssert().apply(this, args)
    },
    fileSnapshot: function fileSnapshot(this: object, ...args: unknown[]) {
      manager?.createFileAssert().apply(this, args)
    },
  }
  return {
    assertions,
    forget() {
      const { SnapshotManager } = requireInternal<{ SnapshotManager: new (updates: boolean) => SnapshotManager }>(
        'internal/test_runner/snapshot',
      )
      manager = new SnapshotManager(false)
    },
  }
}
