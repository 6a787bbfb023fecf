// jsdom, its window made by the program: a check-then-act, two clicks add one item twice.
import assert from 'node:assert/strict'
import { JSDOM } from 'jsdom'
import { pause, planted } from './planted.ts'

planted('jsdom: an item is listed once', async ({ inTurn }) => {
  const { window } = new JSDOM('<button>add</button><ul></ul>')
  const { document } = window
  const list = document.querySelector('ul')!
  const added: Promise<void>[] = []
  const add = async () => {
    if (list.querySelector('li') !== null) return
    await pause()
    list.appendChild(document.createElement('li')).textContent = 'item'
  }
  const button = document.querySelector('button')!
  button.addEventListener('click', () => added.push(inTurn(add)))
  button.click()
  button.click()
  await Promise.all(added)
  const { length } = list.querySelectorAll('li')
  window.close()
  assert.equal(length, 1)
})
