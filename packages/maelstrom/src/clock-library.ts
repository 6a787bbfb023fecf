/** What is preloaded into nodes: compiled once for each machine and user. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { OWNER } from 'norn/internal/cluster'

/** Saved before code under test can change them. */
const TEMPORARY = tmpdir()
const ENVIRONMENT = { ...process.env }
const SOURCE = new URL('./clock.c', import.meta.url)

/** For nodes that run Node: V8 seeds its random numbers itself, and starts a timer after a garbage collection. */
const FOR_NODE = `const { setFlagsFromString } = require('node:v8')
setFlagsFromString('--random-seed=1')
setFlagsFromString('--no-incremental-marking')
`

/** For nodes that run Ruby, which mixes a seed of its own from process id and addresses. */
const FOR_RUBY = `Random.srand(Integer(ENV.fetch('NORN_SEED')))
`

export interface Preloads {
  /** For LD_PRELOAD: the virtual clock. */
  readonly clock: string
  /** For Node's option `--require`. */
  readonly forNode: string
  /** For Ruby's option `-r`. */
  readonly forRuby: string
}

let preloads: Preloads | undefined

/**
 * The paths of what is preloaded; compiles it if this machine does not have it. Call it outside of the world.
 *
 * @throws Error without a C compiler
 */
export function preloadsOfNodes(): Preloads {
  return (preloads ??= compile())
}

function compile(): Preloads {
  const source = readFileSync(SOURCE)
  const version = createHash('sha256')
    .update(source)
    .update(FOR_NODE + FOR_RUBY)
    .digest('hex')
    .slice(0, 16)
  const folder = join(TEMPORARY, `norn-clock-${userInfo().uid}`)
  const made = {
    clock: join(folder, `${version}.so`),
    forNode: join(folder, `${version}.cjs`),
    forRuby: join(folder, `${version}.rb`),
  }
  if (existsSync(made.clock)) return made
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `${OWNER}.so`)
  writeFileSync(made.forNode, FOR_NODE)
  writeFileSync(made.forRuby, FOR_RUBY)
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', temporary, SOURCE.pathname, '-ldl', '-lpthread'], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  } catch (cause) {
    const { stderr = '', message } = cause as { stderr?: Buffer | string; message: string }
    throw new Error(
      `nodes of Maelstrom need a C compiler for their virtual clock: apt-get install gcc libc6-dev\n${String(stderr) || message}`,
      { cause },
    )
  }
  renameSync(temporary, made.clock)
  return made
}
