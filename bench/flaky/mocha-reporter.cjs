/**
 * A reporter of mocha: one line of JSON for each test. Mocha's own, in JSON, names no files before mocha 8.
 * In the JavaScript of that time, since a project's Babel may read it.
 */
const { writeFileSync } = require('node:fs')

module.exports = function Reporter(runner, { reporterOptions }) {
  const lines = []
  const on = (event, verdict) =>
    runner.on(event, (test) => {
      // A hook that fails stands for the test before which it ran.
      const of = (test.type === 'hook' && test.ctx && test.ctx.currentTest) || test
      lines.push(JSON.stringify({ file: of.file || of.parent.file, name: of.fullTitle(), verdict }))
    })
  on('pass', 'passed')
  on('fail', 'failed')
  on('pending', 'skipped')
  runner.on('end', () => writeFileSync(reporterOptions.output, lines.join('\n')))
}
