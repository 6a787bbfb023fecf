/**
 * The variables that Node and packages read to choose how they work: the time zone, the locale and
 * NODE_ENV. A failure keeps them, so that a replay has those of the run that found it. All other
 * variables are those of the call.
 */

/** Variables of the environment; one without a value is not set. */
export type Surroundings = Readonly<Partial<Record<keyof typeof FORMS, string>>>

/**
 * What a value may be. A value may come from a failure file, and time zones and locales name files
 * of the system: none leads out of the folder of these.
 */
const FORMS = {
  TZ: /^[\w+-]+(?:[/,.:][\w+-]+)*$/,
  LC_ALL: /^\w[\w.@-]*$/,
  NODE_ENV: /^[^\p{Cc}]*$/u,
} as const

const MAX_VALUE = 200

function isValid(name: keyof typeof FORMS, value: string): boolean {
  return value.length <= MAX_VALUE && FORMS[name].test(value)
}

/** Those of this process, always with a time zone and a locale, as Node finds them. */
export function ownSurroundings({ TZ, LC_ALL, LC_MESSAGES, LANG, NODE_ENV } = process.env): Surroundings {
  const locale = LC_ALL || LC_MESSAGES || LANG || ''
  return {
    TZ: TZ !== undefined && isValid('TZ', TZ) ? TZ : Intl.DateTimeFormat().resolvedOptions().timeZone,
    LC_ALL: isValid('LC_ALL', locale) ? locale : 'C',
    ...(NODE_ENV === undefined ? {} : { NODE_ENV }),
  }
}

/** Variables read from a file. @throws Error that says what is wrong */
export function parseSurroundings(value: unknown): Surroundings {
  if (typeof value !== 'object' || value === null) throw new Error('"variables" is not an object')
  const entries = Object.entries(value)
  for (const [name, text] of entries) {
    if (!Object.hasOwn(FORMS, name)) throw new Error(`"variables" has an unknown name: ${name}`)
    if (typeof text !== 'string' || !isValid(name as keyof typeof FORMS, text)) {
      throw new Error(`"variables" has an invalid ${name}: ${JSON.stringify(text)}`)
    }
  }
  return Object.fromEntries(entries)
}

/** Nobody colours a message, such as that of an AssertionError, by where norn is called. */
const WITHOUT_COLOUR = { NO_COLOR: '1', FORCE_COLOR: undefined }

/** An environment with these variables instead of its own. */
export function surroundedBy(surroundings: Surroundings, environment = process.env): NodeJS.ProcessEnv {
  const unset = Object.fromEntries(Object.keys(FORMS).map((name) => [name, undefined]))
  return { ...environment, ...WITHOUT_COLOUR, ...unset, ...surroundings }
}
