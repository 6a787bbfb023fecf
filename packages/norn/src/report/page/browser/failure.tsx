/** One failure: what failed, its execution step by step, and the passing execution beside it. */
import { useMemo } from 'preact/hooks'
import { delayText, timeTextOf } from '../../diagram/units.ts'
import type { Execution, Failure, PageData, Replay } from '../data.ts'
import { ActButtons, ActProgress } from './acting.tsx'
import { DiagramView, happened } from './diagram.tsx'
import { Scrubber } from './scrubber.tsx'
import { Source } from './source.tsx'
import { beside, hasRoutine, placeOf, type StateGroup, shownRows, stateAt } from './stepping.ts'

const REPLAYS: Readonly<Record<Replay, readonly [text: string, style: string]>> = {
  exact: ['replays exactly', 'bad'],
  fails: ['still fails', 'bad'],
  passes: ['no longer fails', 'good'],
  inconclusive: ['inconclusive', 'late'],
  'not replayed': ['not replayed', 'late'],
  found: ['just found', 'bad'],
}

export function Badge({ replay }: Pick<Failure, 'replay'>) {
  const [text, style] = REPLAYS[replay]
  return <span class={`badge ${style}`}>{text}</span>
}

export interface Controls {
  readonly row: number
  readonly all: boolean
  readonly compares: boolean
  go(row: number): void
  step(by: number): void
  toNotable(by: 1 | -1): void
  toggle(what: 'all' | 'compares'): void
}

interface FailureProps {
  readonly data: PageData
  readonly failure: Failure
  readonly controls: Controls
}

export function FailureView({ data, failure, controls }: FailureProps) {
  const { execution } = failure
  return (
    <article class="failure">
      <FailureHead data={data} failure={failure} />
      {execution === undefined ? (
        <p class="none block">
          {failure.replay === 'found' ? 'There is no execution to show yet.' : 'There is no execution to show.'}{' '}
          {failure.replayed}
        </p>
      ) : (
        <Stepper data={data} failure={failure} execution={execution} controls={controls} />
      )}
    </article>
  )
}

export function FailureHead({ data, failure }: Omit<FailureProps, 'controls'>) {
  const { property, file, headline, sentence, waits, input, inputTitle, replayed } = failure
  const { error, facts, commands, output, places } = failure
  return (
    <header class="what">
      <h2>
        {property} <Badge replay={failure.replay} />
        <ActButtons failure={failure} />
      </h2>
      <ActProgress failure={failure} />
      <p class="headline">{headline}</p>
      {sentence !== undefined && <p class="sentence">{sentence}</p>}
      <dl class="brief">
        {waits !== undefined && (
          <>
            <dt>{waits[0]}</dt>
            <dd>
              <pre class="waits">{waits[1]}</pre>
            </dd>
          </>
        )}
        {input !== '' && (
          <>
            <dt>{inputTitle}</dt>
            <dd>
              <pre>{input}</pre>
            </dd>
          </>
        )}
        <dt>Replay</dt>
        <dd>{replayed}</dd>
      </dl>
      <details>
        <summary>Error, origin and commands</summary>
        <div class="more">
          <div>
            <pre class="error">{error}</pre>
            <Source data={data} places={places} />
            {output !== undefined && (
              <>
                <h4>Printed</h4>
                <pre>{output}</pre>
              </>
            )}
          </div>
          <dl>
            <dt>Declared in</dt>
            <dd>{file}</dd>
            {facts.map(([title, text]) => (
              <>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </>
            ))}
            {commands.map(([command, purpose]) => (
              <>
                <dt>To {purpose}</dt>
                <dd>
                  <code>{command}</code>
                </dd>
              </>
            ))}
          </dl>
        </div>
      </details>
    </header>
  )
}

function Stepper({ data, failure, execution, controls }: FailureProps & { execution: Execution }) {
  const { passing, schedule } = failure
  const { row, all, compares } = controls
  const shown = useMemo(() => shownRows(execution, all), [execution, all])
  const others = useMemo(() => (passing === undefined ? [] : shownRows(passing.execution, all)), [passing, all])
  const at = placeOf(shown, row)
  const last = shown.length - 1
  const besides = passing && beside(row, passing.parting, passing.execution)
  const isBeside = passing !== undefined && compares
  const title = failure.replay === 'passes' || failure.replay === 'inconclusive' ? 'The replay' : 'Failing'
  return (
    <>
      <nav class="toolbar" aria-label="Steps">
        <Move text="First" style="end" hint="Home" isAtEnd={at === 0} onClick={() => controls.step(-shown.length)} />
        <Move text="‹ Back" hint="↑ or ←" isAtEnd={at === 0} onClick={() => controls.step(-1)} />
        <output aria-live="off">
          {at + 1} / {shown.length}
        </output>
        <Move text="Forward ›" hint="↓ or →" isAtEnd={at === last} onClick={() => controls.step(1)} />
        <Move text="Last" style="end" hint="End" isAtEnd={at === last} onClick={() => controls.step(shown.length)} />
        <Move text="Previous mark" hint="p" onClick={() => controls.toNotable(-1)} />
        <Move text="Next mark" hint="n" onClick={() => controls.toNotable(1)} />
        {(hasRoutine(execution) || all) && (
          <label title="Key: a">
            <input type="checkbox" checked={all} onChange={() => controls.toggle('all')} /> all {execution.rows.length}{' '}
            steps
          </label>
        )}
        {passing !== undefined && (
          <label title="Key: c">
            <input type="checkbox" checked={compares} onChange={() => controls.toggle('compares')} /> passing execution
          </label>
        )}
      </nav>
      <div class="course">
        <Scrubber execution={execution} shown={shown} at={at} go={controls.go} />
        {schedule !== undefined && <span class="schedule">{schedule}</span>}
      </div>
      <div class={isBeside ? 'diagrams two' : 'diagrams'}>
        <DiagramView
          id="failing"
          title={title}
          kind="failing"
          execution={execution}
          files={data.files}
          shown={shown}
          cursor={row}
          parting={passing?.parting[0]}
          onPick={controls.go}
        />
        {isBeside && (
          <DiagramView
            id="passing"
            title={`Passing: ${passing.change.join(', ')}`}
            kind="passing"
            execution={passing.execution}
            files={data.files}
            shown={others}
            cursor={besides!}
            parting={passing.parting[1]}
            onPick={(other) =>
              controls.go(
                Math.max(0, Math.min(execution.rows.length - 1, other - passing.parting[1] + passing.parting[0])),
              )
            }
          />
        )}
      </div>
      <Detail data={data} failure={failure} execution={execution} row={row} />
    </>
  )
}

const MOVES: Readonly<Record<string, string>> = {
  First: 'First step',
  '‹ Back': 'Step back',
  'Forward ›': 'Step forward',
  Last: 'Last step',
  'Previous mark': 'Previous step that departs or decides',
  'Next mark': 'Next step that departs or decides',
}

interface MoveProps {
  readonly text: keyof typeof MOVES
  readonly hint: string
  readonly isAtEnd?: boolean
  readonly style?: string
  readonly onClick: () => void
}

/** A button that stays where it is at an end, so that a keyboard keeps its focus. */
function Move({ text, hint, style, isAtEnd = false, onClick }: MoveProps) {
  return (
    <button type="button" class={style} onClick={onClick} title={`${MOVES[text]} (${hint})`} aria-disabled={isAtEnd}>
      {text}
    </button>
  )
}

function Detail({
  data,
  failure,
  execution,
  row,
}: Pick<FailureProps, 'data' | 'failure'> & { execution: Execution; row: number }) {
  const now = execution.rows[row]!
  const { atUs, step, more = [], delayUs, departs, difference, places = [], isFailure } = now
  const { passing, noPassing } = failure
  const state = useMemo(() => stateAt(execution, row), [execution, row])
  const hasSource = execution.columns !== 'nodes' || failure.places.length > 0
  const isParting = passing?.parting[0] === row
  const instead = isParting ? passing?.execution.rows[passing.parting[1]] : undefined
  return (
    <div class={hasSource ? 'detail' : 'detail sourceless'}>
      <section aria-live="polite">
        <h3>
          Step {step === undefined ? '' : step}
          <span class="dim"> {atUs === undefined ? '' : `at ${timeTextOf(execution)(atUs)} ms of virtual time`}</span>
        </h3>
        {isFailure ? <pre class="error">{failure.error}</pre> : <p class="happened">{happened(now)}</p>}
        {more.map(({ text }) => (
          <p key={text} class="happened">
            {text}
          </p>
        ))}
        {delayUs !== undefined && <p class="late">◆ delayed by {delayText(delayUs)}</p>}
        {departs && delayUs === undefined && <p class="late">◆ The schedule departs from the default here.</p>}
        {isParting && (
          <p class="late">
            ▶ The passing execution parts here{instead === undefined ? '.' : `. It has instead: ${happened(instead)}`}
          </p>
        )}
        {difference === 'added' && !isParting && <p class="late">+ The passing execution has no such step.</p>}
        {difference === 'moved' && !isParting && <p class="late">The passing execution has this step elsewhere.</p>}
        {passing === undefined && isFailure && noPassing !== undefined && <p class="dim">{noPassing}</p>}
      </section>
      {hasSource && (
        <section>
          <h3>Source</h3>
          {execution.columns === 'nodes' && !isFailure ? (
            <>
              <p class="none">Norn records no source lines for the steps of a cluster.</p>
              <h4>Where it fails</h4>
              <Source data={data} places={failure.places} />
            </>
          ) : (
            <Source data={data} places={places} />
          )}
        </section>
      )}
      <State groups={state} execution={execution} />
    </div>
  )
}

function State({ groups, execution }: { groups: readonly StateGroup[]; execution: Execution }) {
  const told = groups.filter(({ entries, gone }) => entries.length + gone.length > 0)
  return (
    <section class="state">
      <h3>State</h3>
      {told.length === 0 && <p class="none">Nothing is under way.</p>}
      {told.map(({ title, isNamed, entries, gone }) => (
        <div key={title}>
          <h4>{title}</h4>
          <ul>
            {entries.map(({ name, value, isNew, before }) => (
              <li key={name} class={isNew ? 'new' : ''}>
                {isNamed && <b>{name}</b>} {before !== undefined && isNamed && <del>{before}</del>} {value}
              </li>
            ))}
            {gone.map(({ name, value }) => (
              <li key={name} class="gone">
                {isNamed && <b>{name}</b>} {value}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {execution.columns !== 'nodes' && (
        <p class="dim small">Values of variables are not recorded: replay with --locals to see them.</p>
      )}
    </section>
  )
}
