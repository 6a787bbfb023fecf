/**
 * The overlay against the disk: the same program, the same log, the same files in the end.
 *
 * Each seed has a directory of its own with files to start from, made before the overlay first
 * looks (it takes the disk not to change). The program runs on the overlay first, which has to
 * leave the disk alone, and then for real.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram, treeOf } from './programs.ts'
import { world } from './world.ts'

const SEEDS = Number(process.env.NORN_FILES_SEEDS ?? 30)
const FIRST = Number(process.env.NORN_FILES_SEED ?? 1)
const STEPS = 300

const home = process.cwd()
let root = ''

const at = (seed: number) => path.join(root, `seed-${seed}`)

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'norn-files-'))
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const directory = at(seed)
    fs.mkdirSync(path.join(directory, 'dir', 'a'), { recursive: true })
    fs.writeFileSync(path.join(directory, 'file'), 'what was there before')
    fs.writeFileSync(path.join(directory, 'dir', 'b'), 'deeper', { mode: 0o600 })
    fs.symlinkSync('dir', path.join(directory, 'link'))
    fs.symlinkSync('nowhere', path.join(directory, 'dir', 'c'))
    fs.linkSync(path.join(directory, 'file'), path.join(directory, 'dir', 'd'))
  }
})

afterAll(() => {
  process.chdir(home)
  fs.rmSync(root, { recursive: true, force: true })
})

test.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))('seed %i', async (seed) => {
  process.chdir(at(seed))
  const before = treeOf('.')
  const [overlay, overlayTree] = await world().run(async () => [await runProgram(seed, STEPS), treeOf('.')])
  expect(treeOf('.')).toEqual(before)
  expect(world().files.openDescriptors()).toEqual([])
  const real = await runProgram(seed, STEPS)
  const different = real.findIndex((line, index) => line !== overlay[index])
  if (different >= 0)
    expect(overlay[different], `overlay ${overlay[different]}\nreal ${real[different]}`).toEqual(real[different])
  expect(overlayTree).toEqual(treeOf('.'))
})
