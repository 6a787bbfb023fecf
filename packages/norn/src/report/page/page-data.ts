/** The data of a report page, from what is known of a project. */
import { basename } from 'node:path'
import { version } from '../../session/version.ts'
import { corpusSizes } from '../../storage/corpus-store.ts'
import { type RecordedSearches, recordedSearches } from '../../storage/search-records.ts'
import { printableLine } from '../printable.ts'
import type { Campaign, PageData } from './data.ts'
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
  const campaigns = recordedSearches(root).flatMap(campaignsOf)
  return {
    project: basename(root),
    facts: [
      ['Made', timeText(now.toISOString())],
      ['With', `norn ${version()}, Node ${process.versions.node}`],
    ],
    failures,
    unreadable,
    campaigns,
    unknown: unknownOf(campaigns),
    corpora: corpusSizes(root).map(({ name, ...size }) => ({ property: printableLine(name), ...size })),
    files: sources.files,
    sources: sources.passages(),
  }
}

function campaignsOf({ property, file, searches }: RecordedSearches): Campaign[] {
  return [...searches].reverse().map(({ endedAt, verdict, lines, doubts, curve, counted }) => ({
    property: printableLine(property),
    file: printableLine(file),
    endedAt: timeText(endedAt),
    verdict: verdict === 'undecided' ? 'inconclusive' : verdict,
    lines: lines.map((line) => printableLine(line)),
    doubts: doubts.map((line) => printableLine(line)),
    curve,
    counted: printableLine(counted),
  }))
}

/** What a reader may look for in vain. */
function unknownOf(campaigns: readonly Campaign[]): string[] {
  return [
    ...(campaigns.length === 0 ? ['No search is recorded. `norn fuzz` records its searches in .norn/searches.'] : []),
    'Searches by vitest and node:test are not recorded.',
    'Coverage by file is not recorded: guidance counts branches and task orders in total.',
  ]
}

function timeText(iso: string): string {
  return printableLine(iso)
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}
