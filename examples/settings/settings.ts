/**
 * Settings in a file, with a backup in another. `npm run -s norn -- fuzz examples/settings/settings.fuzz.ts` finds what
 * is lost on a full disk.
 */
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises'

export type Settings = Record<string, string>

export async function save(file: string, settings: Settings): Promise<void> {
  await writeFile(file, JSON.stringify(settings))
}

export async function load(file: string): Promise<Settings> {
  return JSON.parse(await readFile(file, 'utf8')) as Settings
}

/** Copies a file piece by piece. */
export async function backUp(from: string, to: string): Promise<void> {
  const source = await open(from)
  try {
    const target = await open(to, 'w')
    try {
      await copy(source, target)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function copy(source: FileHandle, target: FileHandle): Promise<void> {
  const piece = Buffer.alloc(16)
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, piece.length)
    if (bytesRead === 0) return
    await target.write(piece, 0, bytesRead)
  }
}
