/**
 * The space-time diagram as an SVG: well-formed whatever the log holds, self-contained, the same
 * each time, bounded.
 */
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../src/cluster/log.ts'
import { spaceTime } from '../../src/report/diagram/space-time.ts'
import { diagramSvg, SVG_ROOM } from '../../src/report/diagram/svg.ts'
import { chanceLog, entry, failing, stepsOf } from './event-logs.ts'

const ABC = ['a', 'b', 'c']

const svgOf = (record: Parameters<typeof spaceTime>[0], failure?: string, title = 'p') =>
  diagramSvg(spaceTime(record, failing(failure), { room: SVG_ROOM, details: true }), title)

const draw = (log: readonly LogEntry[], nodes = ABC, failure?: string) =>
  svgOf({ nodes, log, steps: stepsOf([1]) }, failure)

/**
 * Throws unless every element is closed where it should be, and no attribute or text holds what is
 * markup.
 */
function elementsOf(svg: string): Map<string, number> {
  const counts = new Map<string, number>()
  const open: string[] = []
  const rest = svg.replaceAll(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g, (_, closing, name, __, own) => {
    if (closing === '/') expect(open.pop()).toBe(name)
    else {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (own !== '/') open.push(name)
    }
    return ''
  })
  expect(open).toEqual([])
  expect(rest).not.toMatch(/[<]/)
  expect(rest).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/)
  return counts
}

/** Where an arrow of a class begins and ends. */
function arrows(svg: string, style: string): number[][] {
  const paths = svg.matchAll(new RegExp(`<path class="${style}" d="M([\\d.]+) ([\\d.]+)l([-\\d.]+) ([-\\d.]+)"`, 'g'))
  return [...paths].map((match) => match.slice(1).map(Number))
}

describe('what is drawn', () => {
  const log = [
    '0@1 request a #0 1',
    '0@1 send a>b #0 {"type":"Put"}',
    '0@1 send a>c #1 {"type":"Put"}',
    '1@2 deliver a>c #1 {"type":"Put"}',
    '2@2 lost a>b #0 \'drop\' {"type":"Put"}',
    '3@3 crash c',
    '4@3 restart c',
    '5@3 partition [["a"],["b","c"]]',
    "6@4 timeout b 'beat'",
  ].map(entry)
  const svg = draw(log)

  it('a message goes from the row in which it was sent to the row in which it was handled', () => {
    const [sent] = [...svg.matchAll(/class="request" d="M([\d.]+) ([\d.]+)/g)].map((match) => Number(match[2]) + 7)
    const [arrow] = arrows(svg, 'arrow late')
    expect(arrow![1]).toBe(sent)
    const [, , , down] = arrow!
    expect(down).toBeGreaterThan(15)
    expect(down).toBeLessThan(24)
  })

  it('a loss ends in a cross, short of its receiver', () => {
    expect(svg).toMatch(/class="arrow lost"[^>]* marker-end="url\(#cross\)"/)
  })

  it('a crash breaks its line of life, which begins anew at the restart', () => {
    expect(svg.match(/class="life"/g)!.length).toBe(ABC.length + 1)
    expect(svg.match(/class="bar( up)?"/g)).toEqual(['class="bar"', 'class="bar up"', 'class="bar"', 'class="bar up"'])
  })

  it('the entries stand behind what is drawn, as JSON', () => {
    expect(svg).toContain('<title>{&quot;kind&quot;:&quot;crash&quot;,&quot;step&quot;:3')
  })

  it('colours stand in attributes, which renderers without style sheets know', () => {
    const [style = ''] = /<style>.*?<\/style>/s.exec(svg) ?? []
    expect(svg).not.toMatch(/var\(|currentColor|context-stroke|style="/)
    expect(style.replace(/@media\(prefers-color-scheme:dark\)\{.*\}/s, '')).not.toMatch(/fill|stroke/)
    expect(svg).toMatch(/<path class="arrow late" [^>]* fill="none" stroke="#9a6700"/)
    expect(svg).toMatch(/<path class="bar up" [^>]* stroke="#1a7f37"/)
    const unpainted = svg.replace(style, '').match(/<(?:path|circle|text|rect)(?![^>]*(?:fill|stroke)=)[^>]*>/g) ?? []
    // The hands of a clock take the colour of the group.
    expect(unpainted.filter((each) => !/^<(?:circle c|path d)/.test(each))).toEqual([])
  })

  it('it asks nothing of anybody: no script, no link, nothing from elsewhere', () => {
    expect(svg).not.toMatch(/<script|<foreignObject|<image|<a\b|href|@import|url\((?!#)/i)
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toContain('http')
    expect(svg).toContain('prefers-color-scheme:dark')
  })
})

describe('whatever the log holds', () => {
  it('text is never markup, and always well-formed', () => {
    const nasty = '</text><script>alert(1)</script>&"\'\u0000\u001b[2J\ud800\uffff]]>'
    const at = { step: 0, atUs: 0, peer: '', name: '', id: -1 }
    const log: LogEntry[] = [
      { ...at, kind: 'send', node: nasty, peer: nasty, id: 0, data: { type: nasty, [nasty]: nasty } },
      { ...at, kind: 'deliver', node: nasty, peer: nasty, id: 0, data: nasty },
      { ...at, kind: 'event', node: nasty, name: nasty, data: [nasty] },
      { ...at, kind: 'timeout', node: nasty, name: nasty, data: undefined },
      { ...at, kind: 'partition', node: '', data: [[nasty], [nasty, nasty]] },
      { ...at, kind: 'partition', node: '', data: nasty },
    ]
    const svg = svgOf({ nodes: [nasty, 'b'], log, steps: [] }, nasty, nasty)
    expect(elementsOf(svg).has('script')).toBe(false)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(svg).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/)
    expect(svg.isWellFormed()).toBe(true)
  })

  it('data that JSON cannot write is still told', () => {
    const at = { kind: 'event', step: 0, atUs: 0, node: 'a', peer: '', name: 'big', id: -1 } as const
    expect(draw([{ ...at, data: { size: 7n } }])).toContain('size=7')
  })

  it.each([
    [1, 5],
    [3, 20],
    [3, 100],
    [7, 400],
    [40, 400],
  ])('%i nodes and %i entries are well-formed', (count, entries) => {
    const nodes = Array.from({ length: count }, (_, index) => `n${index}`)
    elementsOf(draw(chanceLog(nodes, entries, 1), nodes, 'no'))
  })

  it('it is bounded: rows, titles, and departures too', () => {
    const log = chanceLog(ABC, 20_000, 2)
    const every = new Set(log.map(({ step }) => step))
    expect(svgOf({ nodes: ABC, log, steps: stepsOf(every) }).length).toBeLessThan(3_000_000)
    const huge = entry('0@1 deliver a>b #0 1')
    expect(draw([{ ...huge, data: 'x'.repeat(5_000_000) }]).length).toBeLessThan(20_000)
  })

  it('the same log gives the same bytes', () => {
    const once = () => draw(chanceLog(ABC, 500, 7), ABC, 'no')
    expect(once()).toBe(once())
  })

  it('a cluster in which nothing happened has a picture too', () => {
    elementsOf(draw([]))
    elementsOf(draw([], []))
  })
})
