/** The data of a report page, from what is known of a project. */
import { basename } from 'node:path'
import { version } from '../../session/version.ts'
import type { PageData } from './data.ts'
import { failureData, type Reported } from './failure-data.ts'
import { SourceTexts } from './source-texts.ts'

export interface KnownOfProject {
  readonly root: string
  readonly reported: readonly Reported[]
  /** One line for each file that cannot be read. */
  readonly unreadable: readonly string[]
  /** When the report is made; the present by default. */
  readonly now?: Date
}

export function pageDataOf({ root, reported, unreadable, now = new Date() }: KnownOfProject): PageData {
  const sources = new SourceTexts(root)
  const failures = reported.map((each) => failureData(each, sources))
  return {
    project: basename(root),
    facts: [
      ['Made', now.toISOString().replace('T', ' ').replace(/\..*/, ' UTC')],
      ['With', `norn ${version()}, Node ${process.versions.node}`],
    ],
    failures,
    unreadable,
    campaigns: [],
    unknown: ['Norn keeps no record of past searches.'],
    corpora: [],
    files: sources.files,
    sources: sources.passages(),
  }
}
