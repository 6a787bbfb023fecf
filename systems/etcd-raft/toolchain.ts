/** Go and the source of the raft library, as Debian packages them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackages } from '../debian.ts'

const PACKAGES = ['golang-go', 'golang-etcd-server-dev']

/** Where Debian keeps the sources of Go packages. */
const GOPATH = '/usr/share/gocode'

/** The folder of the library. */
export const LIBRARY = `${GOPATH}/src/go.etcd.io/etcd/raft`

/** Whether everything is there that a build needs. */
export function isInstalled(): boolean {
  return existsSync(LIBRARY) && spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0
}

/** Installs what is missing, which only root can do. */
export function install(): void {
  if (isInstalled()) return
  installPackages('Go and the source of the raft library', PACKAGES)
  if (!isInstalled()) throw new Error(`the packages are installed, but \`go\` or ${LIBRARY} is missing`)
}

/** Writes a version of a file whose blocks count their hits in a variable of its package. */
export function countHits(file: string, variable: string, output: string): void {
  const { status, stderr, error } = spawnSync(
    'go',
    ['tool', 'cover', '-mode=count', `-var=${variable}`, '-o', output, file],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`\`go tool cover\` of ${file} failed: ${error?.message ?? stderr}`)
}

/**
 * Builds a program in GOPATH mode, which needs no network. Paths in the binary do not depend on where
 * the sources are.
 *
 * @param overlay the path of a file that replaces sources
 */
export function build(folder: string, binary: string, overlay?: string): void {
  const flags = ['-trimpath', ...(overlay === undefined ? [] : ['-overlay', overlay])]
  const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOFLAGS: '', CGO_ENABLED: '0' }
  const { status, stderr, error } = spawnSync('go', ['build', ...flags, '-o', binary, '.'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`\`go build\` in ${folder} failed: ${error?.message ?? stderr}`)
}
