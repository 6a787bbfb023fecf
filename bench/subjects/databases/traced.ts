/** What the properties of traces.fuzz.ts show. */
export const TRACES = [
  ...(['PostgreSQL: deadlock', 'PostgreSQL: notification', 'PostgreSQL: timeouts'] as const),
  ...(['PostgreSQL: conflict', 'PostgreSQL: values'] as const),
  ...(['Redis: blocking pop', 'Redis: expiry', 'Redis: watch', 'Redis: subscription', 'Redis: script'] as const),
] as const

export type Trace = (typeof TRACES)[number]

/** What a client sees of it. Without one, a tape shows nothing that matters here. */
export const SHOWN: Readonly<Record<Trace, RegExp>> = {
  'PostgreSQL: deadlock': /40P01/,
  'PostgreSQL: notification': /news has by 1(?:.|\n)*news has by 2/,
  'PostgreSQL: timeouts': /55P03(?:.|\n)*57014/,
  'PostgreSQL: conflict': /40001/,
  'PostgreSQL: values': /gen_random_uuid/,
  'Redis: blocking pop': /\["jobs","one"\](?:.|\n)*null/,
  'Redis: expiry': /"after \d"/,
  'Redis: watch': /null/,
  'Redis: subscription': /news has again by 1/,
  'Redis: script': /"field","value"/,
}
