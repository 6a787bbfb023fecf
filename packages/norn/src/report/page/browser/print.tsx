/** The report on paper: each failure with the steps that matter. */
import type { Campaign, Execution, PageData } from '../data.ts'
import { Campaigns } from './campaigns.tsx'
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
  const name = (lane: number | undefined) => (lane === undefined ? '' : execution.lanes[lane]!.party)
  return (
    <table>
      <tbody>
        {shown.length > last.length && (
          <tr>
            <td colSpan={4}>… {shown.length - last.length} steps before</td>
          </tr>
        )}
        {last.map((index) => {
          const { at = '', lane, from, text, delay, departs } = execution.rows[index]!
          const who = from === undefined ? name(lane) : `${name(from)} → ${name(lane)}`
          return (
            <tr key={index}>
              <td>{index === parting ? '▶' : departs ? '◆' : ''}</td>
              <td>{at}</td>
              <td>{who}</td>
              <td>
                {text} {delay}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
