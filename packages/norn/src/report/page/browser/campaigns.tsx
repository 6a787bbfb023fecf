/** What is known of the searches of a project, and what is not. */
import type { Campaign, PageData } from '../data.ts'
import { MARKS, TrendTable } from './trend-table.tsx'

interface CampaignsProps {
  readonly data: PageData
  /** The searches of the call under way. */
  readonly current?: readonly Campaign[] | undefined
  /** Shows the failures of a property. */
  readonly show?: (property: string) => void
}

export function Campaigns({ data, current, show }: CampaignsProps) {
  const { campaigns, unknown, corpora } = data
  return (
    <article class="campaigns">
      <h2>Searches</h2>
      <TrendTable data={data} current={current} show={show} />
      {current?.map((campaign, place) => (
        <CampaignView key={`${place}`} campaign={campaign} />
      ))}
      {current !== undefined && campaigns.length > 0 && <h2>Earlier searches</h2>}
      {campaigns.map((campaign) => (
        <CampaignView key={`${campaign.property} ${campaign.endedAt}`} campaign={campaign} />
      ))}
      {current === undefined && campaigns.length === 0 && (
        <p class="none">No search is recorded. `norn fuzz` records its searches in .norn/searches.</p>
      )}
      {corpora.length > 0 && (
        <section>
          <h3>Corpus</h3>
          <table>
            <thead>
              <tr>
                <th>Property</th>
                <th>Executions kept</th>
                <th>Size</th>
              </tr>
            </thead>
            <tbody>
              {corpora.map(({ property, entries, bytes }) => (
                <tr key={property}>
                  <td>{property}</td>
                  <td>{entries}</td>
                  <td>{Math.ceil(bytes / 1024)} KB</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {unknown.length > 0 && (
        <section>
          <h3>Not known</h3>
          <ul>
            {unknown.map((line) => (
              <li key={line} class="none">
                {line}
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

/** Fewer points are no curve. */
const MIN_POINTS = 5

function CampaignView({ campaign }: { campaign: Campaign }) {
  const { property, file, endedAt, verdict, figures = [], share, lines, doubts, curve, counted, isShrinking } = campaign
  const [mark, style] = MARKS[verdict]
  const isOpen = verdict === 'searching' || verdict === 'waiting' || verdict === 'not run'
  return (
    <section class="campaign">
      <h3>
        <span class={style}>{mark}</span> {property}
      </h3>
      <p class="dim">
        {file}
        {isOpen && ` · ${isShrinking ? 'shrinking a failure that it found' : verdict}`}
        {endedAt !== undefined && ` · ended ${endedAt}`}
      </p>
      {share !== undefined && <progress value={share} aria-label={`budget of ${property}`} />}
      {figures.length > 0 && (
        <dl class="figures">
          {figures.map(([value, unit]) => (
            <div key={unit}>
              <dd>{value}</dd>
              <dt>{unit}</dt>
            </div>
          ))}
        </dl>
      )}
      <div class="told">
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
          {doubts.map((line) => (
            <li key={line} class="late">
              ! {line}
            </li>
          ))}
        </ul>
        {curve.length >= MIN_POINTS && <Curve curve={curve} counted={counted} />}
      </div>
    </section>
  )
}

const [WIDTH, HEIGHT, LEFT, ABOVE, BELOW] = [360, 150, 52, 26, 22] as const

const numberText = (value: number) => value.toLocaleString('en')

/** The discovery curve: what was discovered by which execution. */
function Curve({ curve, counted }: Pick<Campaign, 'curve' | 'counted'>) {
  const [last, most] = [curve.at(-1)![0], Math.max(1, ...curve.map(([, found]) => found))]
  const x = (executions: number) => LEFT + (executions / Math.max(1, last)) * (WIDTH - LEFT - 8)
  const y = (found: number) => ABOVE + (1 - found / most) * (HEIGHT - BELOW - ABOVE)
  const line = curve.map(([executions, found]) => `${x(executions).toFixed(1)} ${y(found).toFixed(1)}`).join('L')
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${most} ${counted} in ${last} executions`}
    >
      <text x={LEFT} y="14">
        {counted}
      </text>
      <path class="axis" d={`M${LEFT} ${ABOVE}V${HEIGHT - BELOW}H${WIDTH - 8}`} />
      <path class="line" d={`M${line}`} />
      <text x={LEFT - 6} y={ABOVE + 4} class="end">
        {numberText(most)}
      </text>
      <text x={LEFT - 6} y={HEIGHT - BELOW} class="end">
        0
      </text>
      <text x={WIDTH - 8} y={HEIGHT - 6} class="end">
        {numberText(last)} executions
      </text>
    </svg>
  )
}
