/** The page: its data, and the elements that it has (history-page.ts). */
import type { PictureData } from '../picture-data.ts'

function element<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind
}

export const data: PictureData = JSON.parse(element('data').textContent!)
export const canvas = document.querySelector('canvas')!
export const pen = canvas.getContext('2d')!
export const detail = element('detail')
export const search = element<HTMLInputElement>('search')
export const count = element('count')
export const filter = element<HTMLSelectElement>('filter')
