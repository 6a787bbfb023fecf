/** Installs packages of Debian, which only root can do. */
import { spawnSync } from 'node:child_process'

/**
 * @param what for people: what they are for
 * @throws Error that says what to run as root, or what failed
 */
export function installPackages(what: string, packages: readonly string[]): void {
  const commands = [
    ['apt-get', 'update'],
    ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages],
  ]
  const shown = commands.map((command) => command.join(' ')).join(' && ')
  console.error(`installing ${what}: ${shown}`)
  if (process.getuid?.() !== 0) throw new Error(`this needs root. Run \`sudo sh -c '${shown}'\`, then try again`)
  for (const [name, ...rest] of commands) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    // stdout is for what the script says.
    const { status, error } = spawnSync(name!, rest, { stdio: ['ignore', 2, 2], env })
    if (status !== 0)
      throw new Error(`\`${[name, ...rest].join(' ')}\` failed: ${error?.message ?? `status ${status}`}`)
  }
}
