/** The options of both clusters: the program, its faults, what must hold, and the mapping to the model. */
import { type Action, type ClusterOptions, type ClusterView, type LogEntry, program } from 'norn/cluster'
import { tlaModel } from 'norn/tla'

/** The visible state of a node of register.py. */
interface Visible {
  readonly entry: { readonly version: number; readonly value: string }
  /** Only the primary has these two. */
  readonly committed?: number
  readonly acked?: readonly string[]
}

type Write = { readonly write: string }
type View = ClusterView<Visible | undefined>

const PRIMARY = 'a'
const BACKUPS = ['b', 'c']

export function clusterOptions(...flags: readonly string[]): ClusterOptions<Write, Visible | undefined> {
  const here = import.meta.dirname
  return {
    system: () =>
      program<Visible | undefined>(['python3', `${here}/register.py`, ...flags], {
        env: { PYTHONPATH: `${here}/../stdio` },
      }),
    steps: 40,
    faults: { drops: 1, duplicates: 1 },
    requests: ['x', 'y', 'z'].map((write) => ({ write })),
    route: () => PRIMARY,
    required: ['commit'],
    invariant: (view) => {
      const { committed, copies } = visible(view)
      for (const [backup, { version }] of Object.entries(copies)) {
        if (version < committed!) throw new Error(`version ${committed} is committed, but ${backup} has ${version}`)
      }
    },
    eventually: {
      what: 'every write has a reply',
      holds: ({ requests }) => requests.every(({ replies }) => replies.length > 0),
    },
    // Without --conformance the model only guides the search.
    model: {
      // The configuration is Register.cfg, beside it.
      model: tlaModel(new URL('./Register.tla', import.meta.url)),
      actions: actionOf,
      agree: {
        implementation: visible,
        model: ({ latest, copy, acked, committed }) => ({ latest, copies: copy, acked, committed }),
        differences: 'ignore',
      },
    },
  }
}

/** What the nodes show, in the form of the model. */
function visible(view: View) {
  const { entry, acked, committed } = view.node(PRIMARY).state!
  const copies = Object.fromEntries(BACKUPS.map((name) => [name, view.node(name).state!.entry]))
  return { latest: entry, copies, acked, committed }
}

function actionOf({ kind, name, node, data }: LogEntry): Action | undefined {
  if (kind !== 'event') return undefined
  const { value, backup, version } = data as { value: string; backup: string; version: number }
  switch (name) {
    case 'write':
      return { action: 'Write', parameters: [value] }
    case 'store':
      return { action: 'Store', parameters: [node, data] }
    case 'acknowledge':
      return { action: 'Acknowledge', parameters: [backup, version] }
    case 'commit':
      return { action: 'Commit', parameters: [version] }
  }
  throw new Error(`unknown event '${name}'`)
}
