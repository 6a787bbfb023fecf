/** A rewritten text is its template with the holes filled. */
import { expect, test } from 'vitest'
import { filled, markHoles } from '../../src/loader/template.ts'

const STEM = '_norn_'
const mark = markHoles(STEM)

test('what is marked is filled', () => {
  const template = `${mark(0)}+${mark(12)}(${mark(-3)},${mark(0)});`
  expect(filled(template, STEM, (hole) => `<${hole}>`)).toBe('<0>+<12>(<-3>,<0>);')
})

test('other names with the prefix are no holes', () => {
  const text = `function ${STEM}define(){${STEM}0.$x();${STEM}g12[3]++}`
  expect(filled(text, STEM, () => 'x')).toBe(text)
})
