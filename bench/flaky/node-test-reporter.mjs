/** A reporter of node:test: one line of JSON for each test that is not inside another test. */
export default async function* report(source) {
  const names = []
  let ended = []
  for await (const { type, data } of source) {
    if (type === 'test:start') names[data.nesting] = data.name
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type !== 'suite') {
      // The tests inside a test end before it.
      ended = ended.filter(({ nesting }) => nesting <= data.nesting)
      const verdict = type === 'test:fail' ? 'failed' : isLeftOut(data) ? 'skipped' : 'passed'
      ended.push({
        nesting: data.nesting,
        file: data.file,
        name: [...names.slice(0, data.nesting), data.name].join(' '),
        verdict,
      })
    }
    if (data.nesting === 0) {
      for (const { file, name, verdict } of ended) yield `${JSON.stringify({ file, name, verdict })}\n`
      ended = []
    }
  }
}

function isLeftOut({ skip, todo }) {
  return (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false)
}
