/** Notes the aborts of signals, for reports: what listens to a signal runs within the call. */
import type { Interceptor } from '../loop/interceptor.ts'
import type { Activity } from '../realm/replace.ts'
import type { TimersHost } from './timers.ts'

type NotesHost = Activity & Pick<TimersHost, 'noted'>

const { apply } = Reflect

export const abortNotes: Interceptor<NotesHost> = {
  name: 'notes of aborts',
  install: noteAborts,
}

function noteAborts(host: NotesHost): void {
  const { prototype } = AbortController
  const { abort } = prototype
  prototype.abort = {
    abort(this: AbortController, ...args: unknown[]): void {
      if (host.active() && !this.signal.aborted) host.noted('abort')
      apply(abort, this, args)
    },
  }.abort
}
