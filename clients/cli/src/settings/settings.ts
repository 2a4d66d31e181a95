// Settings in order of precedence: flag, environment, the project's .svc.toml, the profile, the
// default.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse, stringify, TomlError } from 'smol-toml'
import { isLoopback } from '../../../typescript/src/runtime.ts'
import { usage } from '../errors.ts'
import { company } from '../contract.ts'
import { besideConfig, configFile, type Machine } from './paths.ts'

type Table = Record<string, unknown>

export type TokenStore = 'keychain' | 'file' | 'none'
export const tokenStores: readonly TokenStore[] = ['keychain', 'file', 'none']

export type Settings = {
  readonly profile: string
  readonly baseUrl: string
  readonly tokenStore?: TokenStore
  readonly organization?: string
  readonly format?: string
  readonly listen: {
    readonly forwardTo?: string
    readonly events?: readonly string[]
    readonly secretFile?: string
  }
  readonly configFile: string
  readonly folder: (name: string) => string
}

export type GivenSettings = {
  readonly profile?: string
  readonly baseUrl?: string
  readonly tokenStore?: string
  readonly organization?: string
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Matches the names of secrets. A project's file is committed, so it must not contain secrets. */
const secretKey = /secret$|api_?key|token$|password/i
const secretValue = /\b(svc_(sk|at|rt|cs)_|whsec_)\w{8,}/

function refuseSecrets(file: string, table: Table, at: string[] = []): void {
  for (const [name, value] of Object.entries(table)) {
    const key = [...at, name].join('.')
    const isSecret = typeof value === 'string' && (secretKey.test(name) || secretValue.test(value))
    if (isSecret) {
      throw usage(
        `${file} must not hold a secret: ${key}`,
        'Remove it. Run `svc login`, or set SVC_API_KEY in the environment.',
      )
    }
    if (isTable(value)) refuseSecrets(file, value, [...at, name])
  }
}

export function readToml(file: string): Table {
  if (!existsSync(file)) return {}
  try {
    return parse(readFileSync(file, 'utf8')) as Table
  } catch (error) {
    const at = error instanceof TomlError ? `:${error.line}:${error.column}` : ''
    throw usage(`${file}${at} isn't valid TOML`, 'Fix that line, or delete the file.')
  }
}

/** Replaces the whole file in one step, so a reader never sees half of it. */
export function writeToml(file: string, table: Table): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, stringify(table), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

const textOf = (table: Table, name: string): string | undefined => {
  const value = table[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
const tableOf = (table: Table, name: string): Table => {
  const value = table[name]
  return isTable(value) ? value : {}
}

export const projectFile = '.svc.toml'

export function checkedBaseUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw usage(`base_url must be a URL such as ${company.api}`)
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw usage(
      'base_url must start with https://, or with http:// on this machine',
      'A key must not travel in plain text.',
    )
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw usage('base_url must be a URL without a query, a fragment or a user')
  }
  // The version is optional, as in the libraries.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** A project's file may be somebody else's, so it can't choose a new host for your key. */
function baseUrlIn(project: Table, file: string, own: string | undefined): string | undefined {
  const text = textOf(project, 'base_url')
  if (text === undefined) return own
  const url = checkedBaseUrl(text)
  const { host, hostname } = new URL(url)
  const known = [own ?? company.api, company.api].map(checkedBaseUrl)
  if (isLoopback(hostname) || known.includes(url)) return text
  throw usage(
    `${file} must not send your key to ${host}`,
    'If you trust this host, run `svc config set base_url`, or add --base-url.',
  )
}

function tokenStoreOf(text: string | undefined): TokenStore | undefined {
  const found = tokenStores.find(one => one === text)
  if (text !== undefined && !found) {
    throw usage(`token_store must be one of ${tokenStores.join(', ')}`)
  }
  return found
}

export function readSettings(given: GivenSettings, machine: Machine, cwd: string): Settings {
  const { environment, platform } = machine
  const file = configFile(machine)
  const config = readToml(file)
  const projectPath = path.join(cwd, projectFile)
  const project = readToml(projectPath)
  refuseSecrets(projectPath, project)
  const profile =
    given.profile ??
    environment['SVC_PROFILE'] ??
    textOf(project, 'profile') ??
    textOf(config, 'default_profile') ??
    'default'
  const own = tableOf(tableOf(config, 'profiles'), profile)
  const pick = (name: string) => textOf(project, name) ?? textOf(own, name)
  const listen = { ...tableOf(own, 'listen'), ...tableOf(project, 'listen') }
  const events = listen['events']
  const optional = {
    tokenStore: tokenStoreOf(given.tokenStore ?? pick('token_store')),
    organization: given.organization ?? environment['SVC_ORGANIZATION'] ?? pick('organization'),
    format:
      textOf(tableOf(project, 'output'), 'format') ?? textOf(tableOf(config, 'output'), 'format'),
  }
  return {
    profile,
    baseUrl: checkedBaseUrl(
      given.baseUrl ??
        environment['SVC_BASE_URL'] ??
        baseUrlIn(project, projectPath, textOf(own, 'base_url')) ??
        company.api,
    ),
    ...(optional.tokenStore ? { tokenStore: optional.tokenStore } : {}),
    ...(optional.organization ? { organization: optional.organization } : {}),
    ...(optional.format ? { format: optional.format } : {}),
    listen: {
      ...optionalText('forwardTo', textOf(listen, 'forward_to')),
      ...optionalText('secretFile', textOf(listen, 'secret_file')),
      ...(Array.isArray(events) ? { events: events.map(String) } : {}),
    },
    configFile: file,
    folder: name => besideConfig(file, name, platform),
  }
}

const optionalText = <N extends string>(name: N, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<N, string>>
