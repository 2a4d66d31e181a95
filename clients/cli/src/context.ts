// The context of every command: settings, output, the API and the login, each opened on first use.

import { isHeaderText } from '../../typescript/src/credentials.ts'
import { APIError, type SvcError } from '../../typescript/src/errors.ts'
import type { ResponseEvent } from '../../typescript/src/log.ts'
import { type Api, openApi } from './api/client.ts'
import {
  type Credential,
  modeOf,
  secretOf,
  type TokenCredential,
} from './credentials/credential.ts'
import { type CredentialStore, openStore } from './credentials/store.ts'
import {
  columnsOf,
  environment,
  home,
  isCI,
  isTerminal,
  now,
  platform,
  writeOut,
} from './environment.ts'
import { CommandError, usage } from './errors.ts'
import { formatIn, formatOf } from './output/format.ts'
import { isForPrograms, openOutput, type Output } from './output/output.ts'
import { idsOf, rememberIds } from './seen.ts'
import { readSettings, type Settings } from './settings/settings.ts'
import { version } from './version.ts'

/** The flags that every command accepts. */
export type GlobalFlags = {
  readonly profile?: string
  readonly json?: boolean
  readonly jq?: string
  readonly output?: string
  readonly format?: string
  readonly fields?: string
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: boolean
  readonly timeout?: string
  readonly idempotencyKey?: string
  readonly baseUrl?: string
  readonly organization?: string
  /** Headers, each as `name: value`. */
  readonly H?: readonly string[]
  readonly tokenStore?: string
  readonly yes?: boolean
  readonly showPhi?: boolean
}

export type Context = {
  readonly settings: Settings
  readonly flags: GlobalFlags
  readonly out: Output
  readonly store: CredentialStore
  /** Whether the command may prompt. */
  readonly isInteractive: boolean
  /** The environment's credential, or else the login's. Undefined without either credential. */
  credential(): Promise<Credential | undefined>
  /** Describes the credential's source. */
  readonly credentialSource: () => string
  mode(): Promise<'test' | 'live' | undefined>
  readonly api: Api
}

const secondsPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

/** Parses `30s`, `500ms` or `10m`. A bare number is seconds. */
export function milliseconds(text: string, flag: string): number {
  const [, number, unit = 's'] = secondsPattern.exec(text) ?? []
  if (number === undefined) throw usage(`${flag} must be a duration such as 30s or 10m`)
  return Number(number) * units[unit as keyof typeof units]
}

function hasColor(flags: GlobalFlags, stream: { isTTY?: boolean }): boolean {
  const isOff = flags.color === false || environment['NO_COLOR'] || environment['CLICOLOR'] === '0'
  return !isOff && isTerminal(stream) && environment['TERM'] !== 'dumb'
}

const look = (flags: GlobalFlags, stream: NodeJS.WriteStream) => ({
  columns: columnsOf(stream),
  hasColor: hasColor(flags, stream),
})

const exchangeLine = ({ method, path, status, ms, requestId, attempt, ...rest }: ResponseEvent) => {
  const key = rest.idempotencyKey ? ` key=${rest.idempotencyKey}` : ''
  const again = attempt > 1 ? ` attempt=${attempt}` : ''
  return `${method} ${path} → ${status} in ${ms} ms ${requestId ?? ''}${key}${again}`
}

/** Shorter pauses aren't reported, because nobody would notice them. */
const saidPauseMs = 2000

function pauseLine(error: SvcError, ms: number): string {
  const why = error instanceof APIError ? `${error.title} (${error.code})` : 'No response'
  return `${why}. Trying again in ${Math.ceil(ms / 1000)} s.`
}

/** Checks the environment's key, because a runtime error about a character that is invalid in a
 *  header would print the key. */
function keyOf(text: string | undefined): string | undefined {
  if (text === undefined || isHeaderText(text)) return text
  throw usage(
    'SVC_API_KEY must be a key and nothing else',
    'It has a space, a line break or another character inside. Copy the key again.',
  )
}

const notLoggedIn = () =>
  new CommandError(
    'notLoggedIn',
    'not logged in',
    'Run `svc login`, or set SVC_API_KEY to a test key.',
  )

function checkResource({ resource }: TokenCredential, baseUrl: string): void {
  if (new URL(resource).href === new URL(baseUrl).href) return
  throw new CommandError(
    'notLoggedIn',
    `this login is for ${resource}, not ${baseUrl}`,
    'Run `svc login`, or choose another profile with --profile.',
  )
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map(line => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw usage(`-H ${line}: use name: value`)
    return [name, value] as const
  })
  return Object.fromEntries(pairs)
}

/** Collects the IDs shown to the user, and saves them when the command ends. */
function seenBy(settings: Settings): (value: unknown) => void {
  const ids: string[] = []
  process.once('exit', () => {
    if (ids.length > 0) rememberIds(settings, ids)
  })
  return value => void ids.push(...idsOf(value))
}

function outputFor(flags: GlobalFlags, settings: Settings, isLive: () => boolean): Output {
  const { wanted, flag } = formatIn(flags)
  const format = formatOf(
    wanted ?? settings.format ?? 'table',
    wanted === undefined ? 'output.format' : flag,
  )
  return openOutput({
    format,
    ...(flags.fields === undefined ? {} : { fields: flags.fields.split(',') }),
    ...(flags.jq === undefined ? {} : { jq: flags.jq }),
    isQuiet: flags.quiet === true,
    isVerbose: flags.verbose === true || environment['SVC_DEBUG'] === 'api',
    isMasked: () => isLive() && flags.showPhi !== true,
    look: { stdout: look(flags, process.stdout), stderr: look(flags, process.stderr) },
    write: writeOut,
    writeError: text => void process.stderr.write(text),
    ...(isTerminal(process.stdout) && !isCI ? { onShown: seenBy(settings) } : {}),
  })
}

export function openContext(flags: GlobalFlags): Context {
  const machine = { environment, home, platform }
  const settings = readSettings(flags, machine, process.cwd())
  const store = openStore(settings)
  let known: Credential | undefined
  const mode = () => (known ? modeOf(secretOf(known)) : undefined)
  const out = outputFor(flags, settings, () => mode() === 'live')
  const key = keyOf(environment['SVC_API_KEY'])
  const credential = async () => (known ??= key ? { kind: 'key', key } : await store.read())

  /** Returns the secret to send. Renews a token that is about to expire or was refused. */
  async function secret(refused: string | undefined): Promise<string> {
    const found = await credential()
    if (!found) throw notLoggedIn()
    if (found.kind === 'token') checkResource(found, settings.baseUrl)
    const isLate =
      found.kind === 'token' && (found.accessToken === refused || found.expiresAt - now() < 60_000)
    if (isLate) {
      const { renewed } = await import('./credentials/renew.ts')
      known = await renewed(found, store, settings.folder('renewing.lock'))
    }
    return secretOf(known ?? found)
  }

  const api = openApi({
    baseUrl: settings.baseUrl,
    version,
    timeoutMs: milliseconds(flags.timeout ?? '30s', '--timeout'),
    ...(settings.organization ? { organization: settings.organization } : {}),
    headers: headersOf(flags.H ?? []),
    secret,
    onWrite: (method, path, key) => out.verbose(`${method} ${path} key=${key}`),
    onExchange: exchange => out.verbose(exchangeLine(exchange)),
    onPause: (error, ms) => {
      if (ms >= saidPauseMs && !isForPrograms(out.format)) out.say(pauseLine(error, ms))
    },
  })
  return {
    settings,
    flags,
    out,
    store,
    api,
    isInteractive: isTerminal(process.stdin) && isTerminal(process.stderr) && !isCI,
    credential,
    credentialSource: () => (key ? 'SVC_API_KEY' : `profile ${settings.profile}`),
    mode: async () => {
      await credential()
      return mode()
    },
  }
}
