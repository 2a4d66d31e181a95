// Open client registration (RFC 7591). The library's endpoint doesn't fit: its hook
// extraClientMetadata receives only added properties and runs before the library's own checks, its
// response contains a dozen OpenID fields, and the quota must be counted by the statement that
// inserts the row.

import { daySeconds } from '#contract/moments.ts'
import { limits } from '#contract/limits.ts'
import { allScopes, intersect } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import { type AuditedCall, insertAuditRow } from '../audit.ts'
import { deviceGrant } from '#contract/oauth.ts'
import { scopesOf } from '../families.ts'
import { isOfAgent, isPrivateUse, isSecureLoopback, redirectUriFault } from './redirect-uris.ts'
import { OAuthRefusal } from '../refuse.ts'

export type Metadata = {
  client_name: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  token_endpoint_auth_method: 'none'
  application_type: 'web' | 'native'
  scope: string
  client_uri?: string
  logo_uri?: string
  software_id?: string
  software_version?: string
}

const refused = (detail: string) => new OAuthRefusal('invalid_client_metadata', detail)

const known = new Set([
  'client_name',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'application_type',
  'scope',
  'client_uri',
  'logo_uri',
  'software_id',
  'software_version',
])

/**
 * Checks what a client registers. Unsupported values are replaced, null counts as absent, and
 * unknown fields are ignored (RFC 7591, section 2), so the response lists the registered values.
 */
export function checkedMetadata(body: unknown): Metadata {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refused('the body must be a JSON object')
  }
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null && known.has(name)),
  )
  const text = JSON.stringify(given)
  if (text.includes('\\u0000') || !text.isWellFormed() || /\\ud[89a-f]/i.test(text)) {
    throw refused('text must not contain NUL or an unpaired surrogate')
  }
  if (typeof (given['token_endpoint_auth_method'] ?? '') !== 'string') {
    throw refused('token_endpoint_auth_method must be a string')
  }
  textsOf('response_types', given)
  const grant_types = grantTypesOf(textsOf('grant_types', given))
  const usesCode = grant_types.includes('authorization_code')
  const redirect_uris = redirectUrisOf(given['redirect_uris'], usesCode)
  const isNative = given['application_type'] === 'native' || redirect_uris.some(isOfAgent)
  if (redirect_uris.some(isPrivateUse) && !isNative) {
    throw new OAuthRefusal(
      'invalid_redirect_uri',
      'redirect_uris must use https, or application_type must be native',
    )
  }
  return {
    client_name: nameOf(given['client_name'], redirect_uris),
    redirect_uris,
    grant_types,
    response_types: usesCode ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    application_type: isNative ? 'native' : 'web',
    scope: scopeOf(given['scope']),
    ...optionalTexts(given),
  }
}

function textsOf(name: string, given: Record<string, unknown>): string[] {
  const list: unknown = given[name] ?? []
  if (Array.isArray(list) && list.every(each => typeof each === 'string')) return list
  throw refused(`${name} must be an array of strings`)
}

/** Whether this grant type starts with a person's approval. */
export const isPersonGrant = (type: unknown) =>
  type === 'authorization_code' || type === deviceGrant

/** Adds the refresh token grant, because every registered client gets a refresh token. */
function grantTypesOf(asked: readonly string[]): string[] {
  const types = asked.filter(isPersonGrant)
  return [...new Set(types.length === 0 ? ['authorization_code'] : types), 'refresh_token']
}

function redirectUrisOf(given: unknown, areRequired: boolean): string[] {
  const uris: unknown = given ?? []
  const fault = (detail: string) => new OAuthRefusal('invalid_redirect_uri', detail)
  if (!Array.isArray(uris)) throw fault('redirect_uris must be an array')
  if (uris.length > limits.redirectUrisMax) {
    throw fault(`redirect_uris must not have more than ${limits.redirectUrisMax} entries`)
  }
  if (areRequired && uris.length === 0) throw fault('redirect_uris must have at least one entry')
  for (const uri of uris) {
    const found = redirectUriFault(uri)
    if (found !== null) throw fault(`each entry in redirect_uris ${found}`)
  }
  const texts = uris as string[]
  if (texts.some(isSecureLoopback) && texts.some(isPrivateUse)) {
    throw fault('redirect_uris must not mix https at a loopback address with private-use schemes')
  }
  return [...new Set(texts)]
}

const nameMax = 200

/** The client's name, stored as plain text. Pages show the name in quotes, and never turn any of it
 *  into a link. */
function nameOf(given: unknown, [uri]: readonly string[]): string {
  if (given === undefined || given === '')
    return uri === undefined ? 'device' : new URL(uri).host.slice(0, nameMax) || 'app'
  const isName = typeof given === 'string' && isVisible(given) && [...given].length <= nameMax
  if (!isName || /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(given)) {
    throw refused(
      `client_name must be visible text of 1 to ${nameMax} characters, without control characters`,
    )
  }
  return given
}

/** Whether text has a visible character. Spaces and Unicode's ignorable characters don't count. */
const isVisible = (text: string) =>
  /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** A client may request other scopes too, such as offline_access. The client gets only the scopes
 *  this server has. */
function scopeOf(given: unknown): string {
  if (given === undefined) return allScopes.join(' ')
  if (typeof given !== 'string') throw refused('scope must be a string')
  const known = intersect(scopesOf(given), allScopes)
  return (known.length === 0 ? allScopes : known).join(' ')
}

/** Stored unchanged; never fetched and never shown. */
function optionalTexts(given: Record<string, unknown>): Partial<Metadata> {
  const names = ['client_uri', 'logo_uri', 'software_id', 'software_version'] as const
  const entries = names.flatMap(name => {
    const value = given[name]
    if (value === undefined) return []
    if (typeof value !== 'string') throw refused(`${name} must be a string`)
    return [[name, value]]
  })
  return Object.fromEntries(entries) as Partial<Metadata>
}

type Counted = { of_network: number; of_all: number }
type Registered = Row & Counted & { issued_at: number | null }

/** A statement part that counts recent registrations, and returns whether one more is allowed. */
export function countedRegistrations(network: string): Statement {
  const { registrationsPerWindow: ofNetwork, registrationsPerDay: ofAll } = limits
  return sql`
    counts as materialized (
      select (select count(*) from (
                select from auth.clients c
                 where c.kind = 'registered' and c.network = ${network}
                   and c.created_at > now() - ${limits.registrationsWindowSeconds}::int * interval '1 second'
                 limit ${ofNetwork}::int) n)::int as of_network,
             (select count(*) from (
                select from auth.clients c
                 where c.kind = 'registered' and c.created_at > now() - interval '1 day'
                   and coalesce(c.last_token_at, c.created_at) > now() - interval '1 day'
                 limit ${ofAll}::int) n)::int as of_all
    ), counted as (
      select of_network, of_all,
             of_network < ${ofNetwork}::int and of_all < ${ofAll}::int as is_within from counts
    )`
}

/** `network` is the registering network's HMAC, for counting its clients. */
export async function registerClient(
  connection: Connection,
  call: AuditedCall,
  network: string,
  metadata: Metadata,
) {
  const id = newId('client')
  const [row] = await connection.run<Registered>(sql`
    with ${countedRegistrations(network)},
    made as (
      insert into auth.clients (id, kind, name, metadata, network)
      select ${id}, 'registered', ${metadata.client_name}, ${JSON.stringify(metadata)}::text::jsonb,
             ${network}
        from counted where is_within
      returning floor(extract(epoch from created_at))::int as issued_at
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.register', outcome: 'ok', status: 201, code: null },
        sql`select null::text, null::text, null::text, ${id}::text, null::text, ${id}::text from made`,
      )}
    )
    select of_network, of_all, (select issued_at from made) as issued_at from counted`)
  if (row?.issued_at == null) throw tooMany(row)
  return { client_id: id, client_id_issued_at: row.issued_at, ...metadata }
}

export function tooMany(row: Counted | undefined): OAuthRefusal {
  const isNetwork = (row?.of_network ?? 0) >= limits.registrationsPerWindow
  const seconds = isNetwork ? limits.registrationsWindowSeconds : daySeconds
  return new OAuthRefusal(
    'temporarily_unavailable',
    isNetwork
      ? `your network must not register more than ${limits.registrationsPerWindow} clients an hour`
      : 'too many clients were registered today; try again later',
    { headers: { 'retry-after': String(seconds) } },
  )
}
