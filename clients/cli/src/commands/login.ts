// `svc login`, `svc logout` and `svc whoami`.

import type { Command } from 'commander'
import type { Family, OpenContext } from '../arguments.ts'
import { openApi, wait } from '../api/client.ts'
import type { Context } from '../context.ts'
import { modeOf, secretOf, shown } from '../credentials/credential.ts'
import {
  type AuthorizationServer,
  beginDevice,
  type DeviceCode,
  discover,
  pollDevice,
  register,
  revoke,
} from '../credentials/oauth.ts'
import { forgetClient, knownClient, rememberClient } from '../credentials/clients.ts'
import { openStore, storedProfiles } from '../credentials/store.ts'
import { openInBrowser } from '../browser.ts'
import { environment, now, readStdin } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { company, scopes } from '../contract.ts'
import { nearest } from '../nearest.ts'
import { reach, send } from '../network.ts'
import { forgetIds } from '../seen.ts'
import { version } from '../version.ts'

type Flags = { readonly scopes?: string; readonly browser: boolean; readonly apiKey?: string }

const keyForm = /^svc_sk_(test|live)_\w{16,}$/

/** Reads the secret's organization. Throws if the API refuses the secret. */
async function organizationOf(context: Context, secret: string) {
  const { settings } = context
  const api = openApi({
    baseUrl: settings.baseUrl,
    version,
    timeoutMs: 30_000,
    ...(settings.organization ? { organization: settings.organization } : {}),
    secret: () => Promise.resolve(secret),
  })
  const { body } = await api.call({ method: 'GET', path: '/v1/organization' })
  return body as { name: string; mode: string; scopes: readonly string[] }
}

async function loginWithKey(context: Context, from: string): Promise<void> {
  const { out, store } = context
  if (from !== '-') {
    throw usage(
      '--api-key must be -, to read the key from stdin',
      'A key on the command line stays in your shell history.',
    )
  }
  const key = (await readStdin()).trim()
  if (!keyForm.test(key)) {
    throw usage('stdin must be an API key, such as svc_sk_test_…')
  }
  const { name, mode } = await organizationOf(context, key)
  const { place } = await store.write({ kind: 'key', key })
  out.say(`Logged in to ${name}, ${mode} mode, with ${shown(key)}. Saved in ${place}.`)
}

/** Requests a code. Registers a new client if the server no longer has the stored client. */
async function begin(context: Context, server: AuthorizationServer, scopes: readonly string[]) {
  for (;;) {
    const known = knownClient(context.settings, server.resource)
    const client = known ?? (await register(reach, server, version))
    rememberClient(context.settings, server.resource, client)
    const device = await beginDevice(reach, server, client, scopes)
    if (device !== 'unknownClient') return { client, device }
    forgetClient(context.settings, server.resource)
    if (known === undefined) throw new CommandError('refused', "couldn't register this program")
  }
}

async function approved(server: AuthorizationServer, client: string, device: DeviceCode) {
  const ends = now() + device.expiresInSeconds * 1000
  let pause = device.intervalSeconds * 1000
  while (now() < ends) {
    await wait(pause)
    // Polls again after a lost connection, because the code stays valid.
    const answer = await pollDevice(reach, server, client, device, now()).catch(
      (error: unknown) => {
        if (error instanceof CommandError && error.exit !== 'unavailable') throw error
        return 'pending' as const
      },
    )
    if (answer === 'slowDown') pause += 5000
    else if (answer !== 'pending') return answer
  }
  throw new CommandError(
    'notLoggedIn',
    'the code expired before it was approved',
    'Run `svc login` again.',
  )
}

function scopesOf(text: string | undefined): string[] {
  const names = scopes.map(({ name }) => name)
  if (text === undefined || text === 'all') return names
  const asked = text.split(',').map(one => one.trim())
  const unknown = asked.find(one => !names.includes(one))
  if (unknown === undefined) return asked
  const near = nearest(unknown, names)
  throw usage(
    `--scopes: unknown scope: ${unknown}`,
    near ? `Did you mean ${near}?` : `Choose from ${names.join(', ')}.`,
  )
}

async function loginByDevice(context: Context, flags: Flags): Promise<void> {
  const { out, settings, store } = context
  const scopes = scopesOf(flags.scopes)
  const server = await discover(reach, settings.baseUrl)
  const { client, device } = await begin(context, server, scopes)
  out.say(`Requesting ${scopes.join(', ')}. Test mode only.`)
  out.say(`\nCode: ${device.userCode}   Open ${device.page}\n`)
  if (flags.browser && context.isInteractive) await openInBrowser(device.pageWithCode)
  out.say('Waiting for approval in the browser. Press Ctrl-C to cancel.')
  const credential = await approved(server, client, device)
  const { place } = await store.write(credential)
  const { name } = await organizationOf(context, credential.accessToken)
  out.say(`Logged in to ${name}, test mode. Saved in ${place}.`)
}

async function login(context: Context, flags: Flags): Promise<void> {
  if (environment['SVC_API_KEY']) {
    context.out.say('Already authenticated with SVC_API_KEY.')
    return
  }
  if (context.settings.tokenStore === 'none') {
    throw usage("token_store is none, so a login can't be saved", 'Set SVC_API_KEY instead.')
  }
  if (flags.apiKey !== undefined) return loginWithKey(context, flags.apiKey)
  return loginByDevice(context, flags)
}

async function logoutOf(context: Context, profile: string): Promise<void> {
  const { out, settings } = context
  const store = openStore(settings, profile)
  const found = await store.read().catch(() => undefined)
  let isRevoked = false
  if (found?.kind === 'token') {
    // Deletes the login even if the server is unreachable; the login's access token expires within
    // an hour.
    isRevoked = await revoke(send, found).then(
      () => true,
      () => false,
    )
    if (!isRevoked) out.warn("Couldn't revoke the token. Revoke it on your account page.")
  }
  const isRemoved = await store.remove()
  forgetIds(settings, profile)
  if (!isRemoved) out.say(`Profile ${profile} isn't logged in.`)
  else out.say(`Logged out of profile ${profile}.${isRevoked ? ' Token revoked.' : ''}`)
}

async function logout(context: Context, { all }: { all?: boolean }): Promise<void> {
  const { settings, out } = context
  const profiles = all ? storedProfiles(settings) : [settings.profile]
  if (profiles.length === 0) out.say('No profile is logged in.')
  for (const profile of profiles) await logoutOf(context, profile)
  if (environment['SVC_API_KEY']) out.warn('SVC_API_KEY is still set in this shell.')
}

async function whoami(context: Context): Promise<void> {
  const { api, out, settings } = context
  const { body } = await api.call({ method: 'GET', path: '/v1/organization' })
  const credential = await context.credential()
  const expires = credential?.kind === 'token' ? new Date(credential.expiresAt).toISOString() : null
  await out.print({
    ...(body as object),
    credential: credential ? shown(secretOf(credential)) : null,
    credential_mode: credential ? (modeOf(secretOf(credential)) ?? null) : null,
    credential_from: context.credentialSource(),
    expires_at: expires,
    profile: settings.profile,
    base_url: settings.baseUrl,
    contract_version: company.apiVersion,
    version,
  })
}

export const loginFamily: Family = (command: Command, open: OpenContext) => {
  command
    .option('--scopes <a,b>', 'request only these scopes (all)')
    .option('--no-browser', "print the URL, don't open it")
    .option('--api-key <->', 'read an API key from stdin')
    .addHelpText(
      'after',
      `
Without a flag, you approve the login in your browser. It works in test mode only.

Examples:
  svc login
  svc login --scopes organization:read,events:read,realtime:subscribe
  pass svc | svc login --api-key -
`,
    )
    .action(() => login(open(command), command.opts<Flags>()))
}

export const logoutFamily: Family = (command, open) => {
  command
    .option('--all', 'log out of every profile')
    .action(() => logout(open(command), command.opts<{ all?: boolean }>()))
}

export const whoamiFamily: Family = (command, open) => {
  command.action(() => whoami(open(command)))
}
