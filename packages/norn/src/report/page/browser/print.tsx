/** The report on paper: each failure with the steps that matter. */
import { delayText, timeTextOf } from '../../diagram/units.ts'
import type { Campaign, Execution, PageData } from '../data.ts'
import { Campaigns } from './campaigns.tsx'
import { happened } from './diagram.tsx'
import { FailureHead } from './failure.tsx'
import { shownRows } from './stepping.ts'

const MAX_ROWS = 80

interface PrintProps {
  readonly data: PageData
  readonly current?: readonly Campaign[] | undefined
}

export function Print({ data, current }: PrintProps) {
  return (
    <>
      <h1>{data.project}: norn report</h1>
      <p>{data.facts.map(([title, text]) => `${title} ${text}`).join(' · ')}</p>
      {data.failures.map((failure) => (
        <article key={failure.path}>
          <FailureHead data={data} failure={failure} />
          {failure.execution && <Steps execution={failure.execution} parting={failure.passing?.parting[0]} />}
          {failure.passing && <p>▶ Nearest passing execution: {failure.passing.change.join(', ')}</p>}
        </article>
      ))}
      <Campaigns data={data} current={current} />
    </>
  )
}

function Steps({ execution, parting }: { execution: Execution; parting: number | undefined }) {
  const shown = shownRows(execution, false)
  const last = shown.slice(-MAX_ROWS)
  const time = timeTextOf(execution)
  const name = (lane: number) => execution.parties[execution.lanes[lane]!.party ?? -1] ?? ''
  return (
    <table>
      <tbody>
        {shown.length > last.length && (
          <tr>
            <td colSpan={4}>… {shown.length - last.length} steps before</td>
          </tr>
        )}
        {last.map((index) => {
          const row = execution.rows[index]!
          const { atUs, lane, arrow, delayUs, departs } = row
          const who = [arrow?.from, lane].flatMap((each) => (each === undefined ? [] : name(each))).join(' → ')
          return (
            <tr key={index}>
              <td>{index === parting ? '▶' : departs ? '◆' : ''}</td>
              <td>{atUs === undefined ? '' : time(atUs)}</td>
              <td>{who}</td>
              <td>
                {happened(row)} {delayUs !== undefined && `delayed by ${delayText(delayUs)}`}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
