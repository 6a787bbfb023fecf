/** The variables that a failure keeps. */
import { describe, expect, it } from 'vitest'
import { ownSurroundings, surroundedBy } from '../../src/contract/surroundings.ts'

describe('the surroundings of a process', () => {
  it('have a time zone and a locale, set or not', () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(ownSurroundings({})).toEqual({ TZ: timeZone, LC_ALL: 'C' })
    expect(ownSurroundings({ TZ: '', LANG: '' })).toEqual({ TZ: timeZone, LC_ALL: 'C' })
    expect(ownSurroundings({ TZ: ':/etc/localtime' })).toMatchObject({ TZ: timeZone })
    expect(ownSurroundings({ TZ: 'EST5EDT,M3.2.0,M11.1.0' })).toMatchObject({ TZ: 'EST5EDT,M3.2.0,M11.1.0' })
  })

  it('have the locale that Node takes: LC_ALL, else LC_MESSAGES, else LANG', () => {
    const all = { LC_ALL: 'de_DE.UTF-8', LC_MESSAGES: 'fr_FR', LANG: 'C.UTF-8' }
    expect(ownSurroundings(all).LC_ALL).toBe('de_DE.UTF-8')
    expect(ownSurroundings({ ...all, LC_ALL: '' }).LC_ALL).toBe('fr_FR')
    expect(ownSurroundings({ LANG: 'C.UTF-8' }).LC_ALL).toBe('C.UTF-8')
  })

  it('take the place of those of the call, also where they were not set', () => {
    const call = { NODE_ENV: 'production', TZ: 'UTC', PATH: '/bin', FORCE_COLOR: '3' }
    expect(surroundedBy({ TZ: 'Asia/Tokyo', LC_ALL: 'C' }, call)).toEqual({
      ...{ NODE_ENV: undefined, TZ: 'Asia/Tokyo', LC_ALL: 'C', PATH: '/bin', NO_COLOR: '1', FORCE_COLOR: undefined },
    })
  })
})
