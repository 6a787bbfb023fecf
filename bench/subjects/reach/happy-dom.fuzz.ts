// happy-dom, its window made by the program: a check-then-act, two clicks add one item twice.
import assert from 'node:assert/strict'
import { Window } from 'happy-dom'
import { pause, planted } from './planted.ts'

planted('happy-dom: an item is listed once', async ({ inTurn }) => {
  const window = new Window({ url: 'http://localhost/' })
  const { document } = window
  document.body.innerHTML = '<button>add</button><ul></ul>'
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
  await window.happyDOM.close()
  assert.equal(length, 1)
})
