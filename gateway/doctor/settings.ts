// Checks every setting: whether it's set, whether its value is valid, and whether it's needed.
// `readConfig` determines which settings exist.
import { existsSync } from 'node:fs'
import { distance } from 'fastest-levenshtein'
import { isLocal } from '../local/marks.ts'
import { missingSettings } from '../live/requirements.ts'
import { type Config, ConfigError, isPrivate, readConfig } from '../settings/config.ts'
import { fault, type Finding, ok, warning } from './finding.ts'

/** deploy/README.md describes what the platform does without each setting. */
export const unset = 'Not set.'

type Environment = Readonly<Record<string, string | undefined>>

export type JudgedSettings = {
  /** The valid settings. */
  readonly config: Config
  readonly findings: readonly Finding[]
  readonly isWrong: boolean
}

export function judgeSettings(given: Environment, isLive: boolean): JudgedSettings {
  const { config, wrong, names } = readAll(given)
  const found = new Map(wrong.map(one => [one.name, one]))
  for (const one of [
    ...(isLive ? missingForLive(config) : []),
    ...doubts(config),
    ...missingFiles(config),
    ...ownAuthority(given),
  ])
    if (!found.has(one.name)) found.set(one.name, one)
  const rest = names
    .filter(name => !found.has(name))
    .map(name => ok(name, given[name]?.trim() ? 'Set.' : unset))
  const findings = [...found.values(), ...rest, ...misspelled(given, names)]
  return { config, findings, isWrong: wrong.length > 0 }
}

/** Finds every error, not only the first one: it leaves each invalid setting out, and reads the
 *  rest again. */
function readAll(given: Environment) {
  const names = new Set<string>()
  const left: Record<string, string | undefined> = { ...given }
  const asked = new Proxy(left, {
    get(target, name) {
      if (typeof name === 'string') names.add(name)
      return Reflect.get(target, name)
    },
  })
  const wrong: Finding[] = []
  for (;;) {
    try {
      return { config: readConfig(asked), wrong, names: [...names].sort() }
    } catch (failure) {
      if (!(failure instanceof ConfigError)) throw failure
      const { message } = failure
      const named = [...names].filter(
        name => left[name] && new RegExp(`\\b${name}\\b`).test(message),
      )
      if (named.length === 0) throw failure
      const [first = '', ...others] = named.sort((a, b) => message.indexOf(a) - message.indexOf(b))
      wrong.push(fault(first, message.replace(new RegExp(`^${first} `), '')))
      for (const name of [first, ...others]) delete left[name]
    }
  }
}

function missingForLive(config: Config): Finding[] {
  if (isLocal(config)) {
    const text =
      "Serves synthetic patients on this machine only. Run this with a gateway's settings to see what it lacks; deploy/README.md has the list."
    return [fault('live mode', text)]
  }
  return missingSettings(config).flatMap(({ setting, fix }) =>
    setting.split(', ').map(name => fault(name, fix)),
  )
}

/** Settings that are rarely intentional if others can reach the platform. */
function doubts(config: Config): Finding[] {
  if (isPrivate(config)) return []
  const kept = "Not set, so it's generated in DATA_DIR, and other machines don't have it."
  const doubtful: readonly (readonly [string, boolean, string])[] = [
    ['KEY_PEPPER', config.keyPeppers.length === 0, kept],
    ['SEAL_KEYS', config.encryptionKeys.length === 0, kept],
    [
      'SMTP_URL',
      config.smtpUrl === undefined,
      'Not set, so email is written to files and not sent.',
    ],
    [
      'TRUSTED_PROXIES',
      config.tls === undefined && config.trustedProxies.length === 0,
      'Not set, so behind a proxy all clients share one address and one quota.',
    ],
    [
      'WEBHOOK_ALLOW',
      config.webhookAllow.length > 0,
      'Set, so test mode webhooks may reach your network.',
    ],
  ]
  return doubtful.flatMap(([name, isDoubtful, text]) => (isDoubtful ? [warning(name, text)] : []))
}

function missingFiles({ tls, webhookCa, siteDir }: Config): Finding[] {
  const files = [
    ['TLS_CERTIFICATE', tls?.certificate],
    ['TLS_KEY', tls?.key],
    ['WEBHOOK_CA', webhookCa],
    ['SITE_DIR', siteDir],
  ] as const
  return files.flatMap(([name, file]) =>
    file !== undefined && !existsSync(file)
      ? [fault(name, "Names a file that doesn't exist.")]
      : [],
  )
}

/** Bun reads the file at startup, and doesn't report a missing one. */
function ownAuthority({ NODE_EXTRA_CA_CERTS: file }: Environment): Finding[] {
  const name = 'NODE_EXTRA_CA_CERTS'
  if (!file) return [ok(name, unset)]
  return [existsSync(file) ? ok(name, 'Set.') : fault(name, "Names a file that doesn't exist.")]
}

/** Shorter names are too similar to other programs' names. */
const lettersMin = 7

function misspelled(given: Environment, names: readonly string[]): Finding[] {
  return Object.keys(given).flatMap(name => {
    if (names.includes(name) || name.length < lettersMin) return []
    const meant = names.find(known => known.length >= lettersMin && distance(known, name) === 1)
    return meant === undefined ? [] : [warning(name, `Unknown setting. Did you mean ${meant}?`)]
  })
}
