/** The script of a page: plain JavaScript that stands in it as it is. Tests read `data-*` of the canvas. */
import { CONTROLS } from './controls.ts'
import { DRAWING } from './drawing.ts'
import { LAYOUT } from './layout.ts'

const ELEMENTS = `
'use strict'
const data = JSON.parse(document.getElementById('data').textContent)
const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d')
const [detail, search, count, filter] = ['detail', 'search', 'count', 'filter'].map((id) => document.getElementById(id))
`

export const SCRIPT = [ELEMENTS, LAYOUT, DRAWING, CONTROLS].map((part) => part.trim()).join('\n')

/** Of the script as it stands between its tags; held by a test. */
export const SCRIPT_HASH = 'sha256-tHPrkim1Tzl+Bogq/aBLuTCrHZLSifjxR6uN5EhIVpE='
