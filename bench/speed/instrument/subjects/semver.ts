/** semver sorts versions, and finds the ones that satisfy ranges. */
import semver from 'semver'

const versions = Array.from({ length: 60 }, (_, n) => `${n % 7}.${n % 5}.${n}${n % 3 === 0 ? `-rc.${n}` : ''}`)
const ranges = ['^1.2.3', '>=1 <4', '~2.1', '1.x || >=5.0.0', '*', '2.0.0 - 4.1', '<3.0.0-rc.4']

export function run(): string {
  const satisfied = ranges.map((range) => semver.maxSatisfying(versions, range, { includePrerelease: true }))
  const sorted = semver.rsort([...versions])
  return [...satisfied, ...sorted.map((version) => semver.inc(version, 'minor'))].join(' ')
}
