import { expect, it } from 'vitest'
import { MOCHA } from '../../src/frameworks/configuration-entries.ts'
import { scriptCall, testScripts } from '../../src/frameworks/script-call.ts'

it.each([
  ['mocha test/request.js', ['test/request.js'], {}],
  ['eslint . && nyc --reporter=lcov mocha --exit test/ && echo done', ['test/'], { exit: [] }],
  [
    './node_modules/.bin/mocha -r ./setup.js -t 5000 "test/**/*.js"',
    ['test/**/*.js'],
    { require: ['./setup.js'], timeout: ['5000'] },
  ],
  [
    'mocha --timeout=0 --require a --require b --recursive tests',
    ['tests'],
    { timeout: ['0'], require: ['a', 'b'], recursive: [] },
  ],
  ['node node_modules/mocha/bin/mocha.js --spec x.js', [], { spec: ['x.js'] }],
])('reads the words of %j', (script, words, options) => {
  expect(scriptCall(script, MOCHA)).toEqual({ words, options })
})

it.each(['npm run mocha:all', 'echo electron-mocha', 'vitest run'])('finds no mocha in %j', (script) => {
  expect(scriptCall(script, MOCHA)).toBeUndefined()
})

it('tells the value of an option of Node from a file of tests', () => {
  const call = scriptCall('node --import ./env.js --test --test-reporter spec test/*.js', /\bnode\b.*\s--test\b/)
  expect(call?.words).toEqual(['test/*.js'])
})

it('asks the scripts that test, the shortest name first', () => {
  const scripts = { 'test:unit': 'a', lint: 'b', test: 'c', unit: 'd' }
  expect(testScripts(scripts)).toEqual(['c', 'd', 'a'])
})
