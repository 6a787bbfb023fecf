/** `process.loadEnvFile` reads a file of the execution. Follows `LoadEnvFile` of src/node_process_methods.cc. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseEnv } from 'node:util'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, replaceWhileActive } from '../realm/replace.ts'

const DEFAULT = '.env'

export const environmentFile: Interceptor<Activity> = {
  name: 'files of the environment',
  builtins: { process: { controlled: 'loadEnvFile' } },
  install(host) {
    const loadEnvFile = (path?: string | URL | Buffer | null) => {
      for (const [name, value] of Object.entries(parseEnv(contentOf(path ?? DEFAULT)))) process.env[name] ??= value
    }
    replaceWhileActive(host, process, 'loadEnvFile', loadEnvFile)
  },
}

function contentOf(path: string | URL | Buffer): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    const unread = new TypeError(`Contents of '${path}' should be a valid string.`)
    throw Object.assign(unread, { code: 'ERR_INVALID_ARG_TYPE' })
  }
}
