// @vitest-environment jsdom
// React under jsdom, driven by testing-library: an answer to an older request replaces that to a newer one.
import assert from 'node:assert/strict'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createElement, useRef, useState } from 'react'
import { pause, planted } from './planted.ts'

planted('React under jsdom: the newest answer is shown', async ({ isFixed }) => {
  const answers: Promise<void>[] = []
  function Search() {
    const [shown, setShown] = useState('nothing')
    const newest = useRef(0)
    const search = async (text: string) => {
      const request = ++newest.current
      await pause()
      if (!isFixed || request === newest.current) setShown(text)
    }
    const onChange = ({ target }: { target: { value: string } }) => void answers.push(search(target.value))
    return createElement(
      'div',
      {},
      createElement('input', { role: 'searchbox', onChange }),
      createElement('p', {}, shown),
    )
  }
  render(createElement(Search))
  const box = screen.getByRole('searchbox')
  fireEvent.change(box, { target: { value: 'a' } })
  fireEvent.change(box, { target: { value: 'ab' } })
  await act(() => Promise.all(answers))
  const { textContent } = document.querySelector('p')!
  cleanup()
  assert.equal(textContent, 'ab')
})
