/** `process.loadEnvFile` reads a file of the execution. Follows `LoadEnvFile` of src/node_process_methods.cc. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, replaceWhileActive } from '../realm/replace.ts'

const DEFAULT = '.env'

/** A number is no path here, though one is where files are read. */
const { getValidatedPath } = requireInternal<{ getValidatedPath(path: unknown): string | Buffer }>('internal/fs/utils')

export const environmentFile: Interceptor<Activity> = {
  name: 'files of the environment',
  builtins: { process: { controlled: 'loadEnvFile' } },
  install(host) {
    const loadEnvFile = (path?: string | URL | Buffer | null) => {
      for (const [name, value] of Object.entries(parseEnv(contentOf(getValidatedPath(path ?? DEFAULT)))))
        process.env[name] ??= value
    }
    replaceWhileActive(host, process, 'loadEnvFile', loadEnvFile)
  },
}

function contentOf(path: string | Buffer): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    const unread = new TypeError(`Contents of '${path}' should be a valid string.`)
    throw Object.assign(unread, { code: 'ERR_INVALID_ARG_TYPE' })
  }
}
