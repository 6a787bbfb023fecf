/** The data of a report page, from what is known of a project. */
import { basename } from 'node:path'
import { VERDICTS } from '../../contract/verdict.ts'
import { version } from '../../session/version.ts'
import { corpusSizes } from '../../storage/corpus-store.ts'
import { type RecordedSearches, recordedSearches, type SearchRecord } from '../../storage/search-records.ts'
import { printableLine } from '../printable.ts'
import type { Campaign, PageData } from './data.ts'
import { failureData, type Reported } from './failure-data.ts'
import { type Highlight, SourceTexts } from './source-texts.ts'

export interface KnownOfProject {
  readonly root: string
  readonly reported: readonly Reported[]
  /** One line for each file that cannot be read. */
  readonly unreadable: readonly string[]
  /** When the report is made; the present by default. */
  readonly now?: Date
  readonly highlight?: Highlight
}

export function pageDataOf({ root, reported, unreadable, now = new Date(), highlight }: KnownOfProject): PageData {
  const sources = new SourceTexts(root, highlight)
  const failures = reported.map((each) => failureData(each, sources))
  return {
    ...projectData(root, ['Made', now]),
    failures,
    unreadable,
    files: sources.files,
    sources: sources.passages(),
  }
}

/**
 * What is known of a project beside its failures. The latest search is the first.
 *
 * @param made the time of the page, and its title
 */
export function projectData(
  root: string,
  made: readonly [title: string, time: Date],
): Omit<PageData, 'failures' | 'unreadable' | 'files' | 'sources'> {
  return {
    project: basename(root),
    facts: [
      [made[0], timeText(made[1].toISOString())],
      ['With', `norn ${version()}, Node ${process.versions.node}`],
    ],
    campaigns: recordedSearches(root)
      .flatMap(campaignsOf)
      .sort((one, other) => (one.endedAt! < other.endedAt! ? 1 : one.endedAt === other.endedAt ? 0 : -1)),
    unknown: UNKNOWN,
    corpora: corpusSizes(root).map(({ name, ...size }) => ({ property: printableLine(name), ...size })),
  }
}

/** What a reader may look for in vain. */
const UNKNOWN = [
  'Searches by vitest and node:test are not recorded.',
  'Coverage by file is not recorded: guidance counts branches and task orders in total.',
]

function campaignsOf({ property, file, searches }: RecordedSearches): Campaign[] {
  return searches.map((search) => campaignOf(property, file, search))
}

export function campaignOf(
  property: string,
  file: string,
  { endedAt, verdict, lines, doubts, curve, counted, counts }: SearchRecord,
): Campaign {
  return {
    property: printableLine(property),
    file: printableLine(file),
    endedAt: timeText(endedAt),
    verdict: VERDICTS[verdict].name,
    lines: lines.map((line) => printableLine(line)),
    doubts: doubts.map((line) => printableLine(line)),
    curve,
    counted: printableLine(counted),
    ...(counts === undefined ? {} : { counts }),
  }
}

function timeText(iso: string): string {
  return printableLine(iso)
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}
