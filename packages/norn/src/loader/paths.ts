/** The paths by which modules are known: of a file, absolute; of a `data:` module, its URL. */
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

export const isData = (path: string): boolean => path.startsWith('data:')

export const urlOf = (path: string): string => (isData(path) ? path : pathToFileURL(path).href)

/** The folder of an importer, which may itself be a folder: a path that ends with a slash. */
export const folderOf = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) || '/' : dirname(path))
