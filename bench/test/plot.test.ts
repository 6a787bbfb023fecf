/** Rows at checkpoints, and the plots that are drawn of them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearAxis, logAxis, markText } from '../statistics/axis.ts'
import { checkpointRows, checkpointsUpTo, valuesAt } from '../statistics/checkpoints.ts'
import { MAX_SERIES, type PlotPoint, type PlotSeries, plot } from '../statistics/plot.ts'

describe('checkpoints', () => {
  test('are spaced evenly on a logarithmic axis, from 1 to the limit itself', () => {
    expect(checkpointsUpTo(1000, 3)).toEqual([1, 2, 5, 10, 22, 46, 100, 215, 464, 1000])
    expect(checkpointsUpTo(750, 3).slice(-2)).toEqual([464, 750])
    expect(checkpointsUpTo(1)).toEqual([1])
  })

  test('ascend without repeating, whatever the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 60 }), (limit, perDecade) => {
        const checkpoints = checkpointsUpTo(limit, perDecade)
        expect(checkpoints.every((each, at) => at === 0 || each > checkpoints[at - 1]!)).toBe(true)
        expect([checkpoints[0], checkpoints.at(-1)]).toEqual([1, limit])
      }),
      { seed: 1 },
    )
  })

  test('a trial counts at each what it had discovered by then', () => {
    expect(valuesAt([1, 10, 100], [1, 1, 7, 10, 11, 200])).toEqual([2, 4, 5])
    expect(valuesAt([5], [])).toEqual([0])
    expect(() => valuesAt([10], [3, 2])).toThrow('discovery 1 was made before the one in front of it')
    expect(() => valuesAt([10, 10], [])).toThrow('checkpoint 1, 10, is not after')
  })

  test('a row has mean, median and the interval of the one that is asked for', () => {
    const trials = [
      [1, 10],
      [1, 20],
      [1, 60],
    ]
    const [first, last] = checkpointRows([100, 1000], trials)
    expect(first).toEqual({ executions: 100, trials: 3, mean: 1, median: 1, low: 1, high: 1, of: 'mean' })
    expect(last).toMatchObject({ executions: 1000, mean: 30, median: 20, low: 10, high: 60 })
    expect(checkpointRows([100, 1000], trials, { of: 'median', confidence: 0.4 })[1]).toMatchObject({
      of: 'median',
      low: 20,
      high: 20,
    })
  })

  test('the same seed draws the same trials at every checkpoint, so that bands are smooth', () => {
    const trials = [3, 1, 4, 1, 5, 9, 2, 6].map((value) => [value, value + 100])
    const [first, last] = checkpointRows([1, 2], trials)
    expect([last!.low - first!.low, last!.high - first!.high].map((each) => each.toFixed(9))).toEqual([
      '100.000000000',
      '100.000000000',
    ])
  })

  test('a trial that ended early has to say what it counts as', () => {
    expect(() => checkpointRows([1, 2], [[1, 2], [1]])).toThrow('trial 1 has 1 values for 2 checkpoints')
    expect(() => checkpointRows([1], [])).toThrow('the sample is empty')
  })
})

describe('axes', () => {
  test.each([
    { least: 0, most: 2313, marks: [0, 500, 1000, 1500, 2000, 2500] },
    { least: 0, most: 1, marks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
    { least: 0, most: 0.3, marks: [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3] },
    { least: 0, most: 0.07, marks: [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07] },
    { least: 1.4, most: 2.2, marks: [1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2] },
    { least: 0.6, most: 1.1, marks: [0.6, 0.7, 0.8, 0.9, 1, 1.1] },
    { least: -3, most: 7, marks: [-4, -2, 0, 2, 4, 6, 8] },
    { least: 0, most: 0, marks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
    { least: 5, most: 5, marks: [5, 6, 7, 8, 9, 10] },
  ])('from $least to $most a linear axis has round marks', ({ least, most, marks }) => {
    expect(linearAxis(least, most).marks).toEqual(marks)
  })

  test.each([
    { least: 1, most: 10_000, marks: [1, 10, 100, 1000, 10_000] },
    { least: 3, most: 300, marks: [5, 10, 20, 50, 100, 200] },
    { least: 1, most: 1e16, marks: [1, 100, 1e4, 1e6, 1e8, 1e10, 1e12, 1e14, 1e16] },
  ])('from $least to $most a logarithmic axis marks powers of ten', ({ least, most, marks }) => {
    expect(logAxis(least, most).marks).toEqual(marks)
  })

  test('marks of a range too narrow for twelve digits are farther apart than it is wide', () => {
    const { marks } = linearAxis(1e9, 1e9 + 1e-6)
    expect(marks.slice(0, 3)).toEqual([1e9, 1_000_000_000.2, 1_000_000_000.4])
  })

  test('a value has its place between the ends', () => {
    expect([0, 1250, 2500].map(linearAxis(0, 2313).place)).toEqual([0, 0.5, 1])
    expect(logAxis(1, 10_000).place(100)).toBeCloseTo(0.5, 12)
    expect(() => logAxis(0, 10)).toThrow('begins above 0')
    expect(() => linearAxis(0, Number.POSITIVE_INFINITY)).toThrow('finite range')
  })

  test('all marks of any axis are round, ascend, and stand within it; there are few of them', () => {
    const end = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: -9, max: 9 }))
    const value = end.map(([digits, exponent]) => Number(`${digits}e${exponent}`))
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [least, most] = [Math.min(a, b), Math.max(a, b)]
        const { marks, from, to } = linearAxis(least, most)
        const slack = 1e-8 * (to - from)
        expect(marks.every((mark, at) => at === 0 || mark > marks[at - 1]!)).toBe(true)
        expect(from <= least + slack && to >= most - slack).toBe(true)
        expect(marks.length >= 2 && marks.length <= 11).toBe(true)
      }),
      { seed: 1 },
    )
  })

  test('numbers are written alike on every machine', () => {
    expect([0, 7, 1000, 1_234_567, 0.25, 1234.5678, -2500, 1e-7, 1e15].map(markText)).toEqual([
      '0',
      '7',
      '1,000',
      '1,234,567',
      '0.25',
      '1,234.5678',
      '−2,500',
      '1e-7',
      '1e+15',
    ])
  })
})

describe('a plot', () => {
  const OPTIONS = { title: 'States covered', subtitle: 'mean of 20 trials', yTitle: 'abstract states' }
  const MODEL: PlotSeries = {
    label: 'model',
    points: [
      { executions: 1, value: 10, low: 8, high: 12 },
      { executions: 100, value: 400, low: 350, high: 440 },
      { executions: 10_000, value: 2000, low: 1900, high: 2100 },
    ],
  }
  const NONE: PlotSeries = {
    label: 'none',
    points: [
      { executions: 1, value: 10 },
      { executions: 10_000, value: 350 },
    ],
  }

  test('is the same text each time, and whole: nothing is fetched, no place is missing', () => {
    const svg = plot([MODEL, NONE], OPTIONS)
    expect(plot([MODEL, NONE], OPTIONS)).toBe(svg)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 760 440"/)
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|<script/)
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    expect(unbalanced(svg)).toEqual([])
  })

  test('has a line a series, a band where there are intervals, and titles, marks and a legend', () => {
    const svg = plot([MODEL, NONE], OPTIONS)
    expect(svg.match(/<polyline class="line s0"/g)?.length).toBe(1)
    expect(svg.match(/<polyline class="line s1"/g)?.length).toBe(1)
    expect(svg.match(/<polygon class="band/g)?.length).toBe(1)
    expect(texts(svg)).toEqual(
      expect.arrayContaining(['States covered', 'mean of 20 trials', 'executions', 'abstract states', 'model', 'none']),
    )
    expect(texts(svg)).toEqual(expect.arrayContaining(['0', '500', '2,500', '2,000', '10,000']))
  })

  test('begins at nothing, so that small differences stay small', () => {
    const high = [1000, 1010, 1020].map((value, at) => ({ executions: at + 1, value }))
    expect(texts(plot([{ label: 'high', points: high }], OPTIONS))).toEqual(expect.arrayContaining(['0', '1,200']))
  })

  test('has no band where an interval lacks an end somewhere', () => {
    const [{ executions, value, low, high }, ...others] = MODEL.points as [PlotPoint, ...PlotPoint[]]
    for (const first of [
      { executions, value, low },
      { executions, value, high },
    ])
      expect(plot([{ label: 'model', points: [first, ...others] }], OPTIONS)).not.toContain('<polygon')
  })

  test('puts executions on a logarithmic axis if asked, where the middle of the line moves to the middle', () => {
    const middle = (svg: string) => Number(/polyline class="line s0" points="\S+ (\d+(?:\.\d+)?),/.exec(svg)![1])
    const ends = (svg: string) =>
      [...svg.matchAll(/class="axis" x1="([\d.]+)" x2="([\d.]+)"/g)].at(-1)!.slice(1).map(Number)
    const log = plot([MODEL], { ...OPTIONS, logX: true })
    const [left, right] = ends(log)
    expect(middle(log)).toBeCloseTo((left! + right!) / 2, 1)
    expect(middle(plot([MODEL], OPTIONS))).toBeLessThan(left! + 0.02 * (right! - left!))
    expect(texts(log)).toEqual(expect.arrayContaining(['1', '10', '100', '1,000', '10,000']))
  })

  test('names series in the order in which they end, and tells them apart without colour too', () => {
    const svg = plot([NONE, MODEL], OPTIONS)
    expect(texts(svg).slice(-2)).toEqual(['model', 'none'])
    const dashes = Array.from({ length: MAX_SERIES }, (_, at) => ({ ...NONE, label: `series ${at}` }))
    const used = [...plot(dashes, OPTIONS).matchAll(/<polyline class="line s\d"( stroke-dasharray="[^"]+")?/g)]
    expect(new Set(used.map((match) => match[1])).size).toBe(MAX_SERIES)
  })

  // WCAG 2.1, success criterion 1.4.11: what is needed to understand a graphic has a contrast of 3
  // : 1; text of 4.5 : 1.
  test('has enough contrast on a light page and on a dark one', () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(
      plot(
        Array.from({ length: MAX_SERIES }, () => NONE),
        OPTIONS,
      ),
    )![1]!
    const dark = style.indexOf('@media')
    for (const theme of [style.slice(0, dark), style.slice(dark)]) {
      const colour = (name: string) => new RegExp(`${name}:(#[0-9a-f]{6})`).exec(theme)![1]!
      const lines = [...theme.matchAll(/--c:(#[0-9a-f]{6})/g)].map((match) => match[1]!)
      expect(lines.length).toBe(MAX_SERIES)
      for (const line of lines) expect(contrast(line, colour('--page'))).toBeGreaterThanOrEqual(3)
      for (const text of ['--text', '--faint'])
        expect(contrast(colour(text), colour('--page'))).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('a label may be anything: it is escaped, and cut where it is long', () => {
    const label = `<model> & "friends" \u0000 ${'and more '.repeat(9)}`
    const svg = plot([{ ...MODEL, label }], { ...OPTIONS, title: 'a < b' })
    expect(unbalanced(svg)).toEqual([])
    expect(svg).toContain('&lt;model&gt; &amp; &quot;friends&quot;')
    expect(svg).toContain('…</text>')
    expect(svg).toContain('<title>a &lt; b</title>')
    expect(svg).not.toContain('\u0000')
  })

  test('a single point is a dot', () => {
    const svg = plot([{ label: 'one', points: [{ executions: 5, value: 0 }] }], OPTIONS)
    expect(svg).toContain('<circle class="dot s0"')
    expect(svg).not.toMatch(/NaN|Infinity/)
  })

  test('refuses what has no place', () => {
    expect(() => plot([], OPTIONS)).toThrow('1 to 6 series, not 0')
    expect(() => plot([{ label: 'x', points: [] }], OPTIONS)).toThrow('the series "x" has no points')
    expect(() => plot([{ label: 'x', points: [{ executions: 1, value: Number.NaN }] }], OPTIONS)).toThrow(
      'has no place',
    )
    expect(() => plot([{ label: 'x', points: MODEL.points.toReversed() }], OPTIONS)).toThrow('is not after')
    const zero = [{ label: 'x', points: [{ executions: 0, value: 1 }] }]
    expect(() => plot(zero, { ...OPTIONS, logX: true })).toThrow('begins above 0')
  })
})

function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!)
}

/** Elements that are opened and not closed, or closed and not open. */
function unbalanced(svg: string): string[] {
  const open: string[] = []
  for (const [, closing, name, empty] of svg.matchAll(/<(\/?)([a-zA-Z]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (empty) continue
    if (!closing) open.push(name!)
    else if (open.pop() !== name) return [`/${name}`]
  }
  const left = svg.replace(/<\/?[a-zA-Z]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '')
  return left.includes('<') ? [...open, left] : open
}

/** The contrast of two colours, from 1 to 21, as WCAG 2.1 defines it. */
function contrast(first: string, second: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
  }
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}
