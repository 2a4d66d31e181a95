// Reads and changes single settings by name, for `svc config`.

import { usage } from '../errors.ts'
import { formatOf } from '../output/format.ts'
import { checkedBaseUrl, readToml, tokenStores, writeToml } from './settings.ts'

type Table = Record<string, unknown>

/** The settings that `svc config` accepts, with descriptions. A name with a dot is a table and
 *  its key. */
export const settingNames: Readonly<Record<string, string>> = {
  base_url: 'API URL',
  organization: 'clinic to act for, if several granted access',
  token_store: `where to save logins: ${tokenStores.join(', ')}`,
  'listen.forward_to': 'URL that `svc listen` forwards to',
  'listen.events': 'event types for `svc listen`, comma-separated',
  'listen.secret_file': 'file with the signing secret of `svc listen`',
}
/** Settings that all profiles share. */
export const sharedNames: Readonly<Record<string, string>> = {
  default_profile: 'profile to use without --profile',
  'output.format': 'table, json, jsonl, yaml, csv or ids',
}

export const isShared = (name: string) => Object.hasOwn(sharedNames, name)

function check(name: string): void {
  if (Object.hasOwn(settingNames, name) || isShared(name)) return
  const all = [...Object.keys(settingNames), ...Object.keys(sharedNames)].join(', ')
  throw usage(`unknown setting: ${name}`, `Choose from ${all}.`)
}

const placeOf = (name: string, profile: string) =>
  isShared(name) ? name.split('.') : ['profiles', profile, ...name.split('.')]

export function getSetting(file: string, profile: string, name: string): unknown {
  check(name)
  let at: unknown = readToml(file)
  for (const part of placeOf(name, profile)) {
    at = typeof at === 'object' && at !== null ? (at as Table)[part] : undefined
  }
  return at
}

export function setSetting(file: string, profile: string, name: string, value: string): void {
  check(name)
  if (/\b(svc_(sk|at|rt|cs)_|whsec_)\w{8,}/.test(value)) {
    throw usage("a setting can't be a secret", 'Use `svc login --api-key -` instead.')
  }
  if (name === 'base_url') checkedBaseUrl(value)
  if (name === 'token_store' && !tokenStores.some(one => one === value)) {
    throw usage(`token_store must be one of ${tokenStores.join(', ')}`)
  }
  if (name === 'output.format') formatOf(value, name)
  const config = readToml(file)
  const place = placeOf(name, profile)
  let at: Table = config
  for (const part of place.slice(0, -1)) {
    const next = at[part]
    at = at[part] = typeof next === 'object' && next !== null ? (next as Table) : {}
  }
  at[place.at(-1) ?? name] = name === 'listen.events' ? value.split(',') : value
  writeToml(file, config)
}
