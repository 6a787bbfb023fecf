/**
 * `norn ui [FILES…]`: searches as `norn fuzz` does, and serves its report on this machine while it
 * runs, and after it until a signal.
 */
import { once } from 'node:events'
import { printError } from '#shared/print'
import { visibleJson } from '#shared/printable'
import { integer } from '../../options/kinds.ts'
import { type Chosen, flag, type OptionTable } from '../../options/option.ts'
import { reportDocument } from '../../report/page/document.ts'
import { type PageScript, pageScript } from '../../report/page/script.ts'
import { terminalStyle } from '../../report/style.ts'
import type { ExitStatus } from '../exit-status.ts'
import { type FuzzFlags, fuzzCommand } from '../fuzz.ts'
import { Actions } from './actions.ts'
import { openInEditor } from './editor.ts'
import { LiveReport } from './live-report.ts'
import { PassingClusters } from './passing-clusters.ts'
import { DEFAULT_PORT, type Pages, serve } from './server.ts'

const MAX_PORT = 65_535

export const UI_OPTIONS = {
  port: flag(integer(0, MAX_PORT), '--port <number>', 'port of the page on 127.0.0.1; 0 for a free one', {
    initial: DEFAULT_PORT,
  }),
} satisfies OptionTable

type UiFlags = FuzzFlags & Chosen<typeof UI_OPTIONS>

export async function uiCommand(named: readonly string[], { port, ...options }: UiFlags): Promise<ExitStatus> {
  const script = await pageScript()
  const passing = new PassingClusters()
  const { highlight } = await import('../../report/page/highlight.ts')
  const report = new LiveReport(process.cwd(), `${process.pid} ${Date.now()}`, passing.find, highlight)
  const actions = new Actions(report, process.cwd(), options)
  const served = await serve(pagesOf(report, script, actions), port)
  try {
    const { dim } = terminalStyle()
    // Standard output holds what `norn fuzz` prints, which may be JSON lines.
    printError(dim(`report: ${served.address}`))
    const status = await fuzzCommand(named, options, [report])
    if (report.stays) {
      printError(dim(`the search has ended; ${served.address} shows its report until Ctrl-C`))
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    }
    return status
  } finally {
    served.close()
    passing.close()
    actions.close()
  }
}

function pagesOf(report: LiveReport, script: PageScript, actions: Actions): Pages {
  let data: { readonly revision: number; readonly text: string } | undefined
  return {
    document: () => reportDocument(report.data(), script, report.live(0)),
    data() {
      const { data: revision } = report.live(Number.POSITIVE_INFINITY)
      if (data?.revision !== revision) data = { revision, text: visibleJson(report.data()) }
      return data.text
    },
    live: (since) => visibleJson(report.live(since)),
    acts: {
      replay: (asked) => actions.replay(asked.get('failure') ?? ''),
      shrink: (asked) => actions.shrink(asked.get('failure') ?? ''),
      stop: () => actions.stop(),
      async open(asked) {
        const line = Number(asked.get('line'))
        const path = report.pathOf([Number(asked.get('file')), line])
        return path === undefined ? 'no file of this project is there' : openInEditor(path, line)
      },
    },
  }
}
