/**
 * The two search domains: the kind of a property is decided on where kinds are declared, and a folder
 * of a room belongs to it.
 */
import { ROOMS } from './layers.ts'
import type { Problem, SourceFile } from './sources.ts'

/** Where `'cluster'` may stand: its rooms, and the declaration of kinds. */
const OF_KINDS = /^packages\/norn\/src\/(?:cluster\/|domains\/|property\/property\.ts$)/

export function decisionsByKind(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => path.startsWith('packages/norn/src/') && !OF_KINDS.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, at) => (/'cluster'/.test(line) ? [{ where: `${path}:${at + 1}`, what: line.trim() }] : [])),
    )
}

/** Folders inside of a room of norn that neither use the rest of the room nor are used by it. */
export function strayFolders(files: readonly SourceFile[]): Problem[] {
  const connected = new Set<string>()
  const folders = new Set<string>()
  for (const { path, references } of files) {
    const from = placeOf(path)
    if (from?.folder !== undefined) folders.add(from.folder)
    for (const { to } of references) {
      const target = placeOf(to)
      if (from === undefined || from.room !== target?.room || from.folder === target.folder) continue
      for (const folder of [from.folder, target.folder]) if (folder !== undefined) connected.add(folder)
    }
  }
  return [...folders]
    .filter((folder) => !connected.has(folder))
    .map((where) => ({ where, what: 'no import leads from it to the rest of its room, or back' }))
}

/** The longest room that a path is in, and the folder below it. */
function placeOf(path: string): { readonly room: string; readonly folder: string | undefined } | undefined {
  const inside = /^packages\/norn\/src\/(.*)$/.exec(path)?.[1]
  const room = ROOMS.filter((each) => inside?.startsWith(`${each}/`)).sort((a, b) => b.length - a.length)[0]
  if (inside === undefined || room === undefined) return undefined
  const [folder, ...rest] = inside.slice(room.length + 1).split('/')
  return { room, folder: rest.length === 0 ? undefined : `packages/norn/src/${room}/${folder}` }
}
