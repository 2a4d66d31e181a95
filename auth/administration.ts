// Changes to an integration's keys and clients, for its members and the operator. The database
// decides each change and writes its audit row (migrations/0006_administration.sql). This module
// generates the secrets, which appear only in the result.

import type { Mode } from '#contract/operation.ts'
import { allScopes, type Scope } from '#contract/scopes.ts'
import { randomBytes } from '#database/clock.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from './ids.ts'
import { pepperName } from './pepper.ts'
import { hashToken, mintClientSecret, mintKey } from './tokens.ts'
import { type Act, actOf, refusalOf } from './act.ts'

export type RefusedChange =
  | 'unknown_integration'
  | 'unknown_scope'
  | 'agreement_required'
  | 'grant_required'
  | 'expired'
  | 'not_found'
  | 'two_secrets'
  /** The key already has a successor that still works. */
  | 'already_rotated'
  | 'already_sent'

export type Changed<T> = { refusal: RefusedChange } | ({ refusal: null } & T)

async function change<T>(
  connection: Connection,
  statement: Statement,
  made: T,
): Promise<Changed<T>> {
  const refusal = await refusalOf<RefusedChange>(connection, statement)
  return refusal === null ? { refusal, ...made } : { refusal }
}

export type CredentialRequest = {
  integration: string
  mode: Mode
  name: string
  /** Default: all scopes. */
  scopes?: readonly Scope[]
  /** Null or absent means any organization with a grant to the integration. */
  organization?: string | null
}

export type KeyCreation = CredentialRequest & {
  /** In RFC 3339. Null or absent means that the key doesn't expire. */
  expiresAt?: string | null
}

/** Creates a key under `pepper`, which must be the newest. */
export function createKey(connection: Connection, pepper: string, asked: KeyCreation, act: Act) {
  const [id, key] = [newId('key'), mintKey(asked.mode, randomBytes(32))]
  const statement = sql`auth.create_key(${id}, ${asked.integration}, ${asked.mode}, ${asked.name},
    ${asked.scopes ?? allScopes}::text[], ${hashToken(pepper, key)}, ${pepperName(pepper)},
    ${key.slice(-4)}, ${actOf(act)}, ${asked.organization ?? null},
    ${asked.expiresAt ?? null}::timestamptz)`
  return change(connection, statement, { id, key })
}

export type KeyRotation = {
  id: string
  /** The key's integration; null for the operator. */
  integration: string | null
  /** The key's mode, which its successor shares. */
  mode: Mode
  /** How long the old key keeps working alongside its successor. */
  overlapSeconds: number
  /** Must be among the old key's scopes. Defaults to all of them. */
  scopes?: readonly Scope[]
}

/** Creates a key that replaces the old key `id`. The old key expires after the overlap. */
export function rotateKey(
  connection: Connection,
  pepper: string,
  { id: old, integration, mode, overlapSeconds, scopes }: KeyRotation,
  act: Act,
) {
  const [id, key] = [newId('key'), mintKey(mode, randomBytes(32))]
  const statement = sql`auth.rotate_key(${id}, ${old}, ${integration}, ${mode},
    ${hashToken(pepper, key)}, ${pepperName(pepper)}, ${key.slice(-4)},
    ${overlapSeconds}::int * interval '1 second', ${actOf(act)}, ${scopes ?? null}::text[])`
  return change(connection, statement, { id, key })
}

/** `integration` is the key's integration; null for the operator. */
export const revokeKeyOf = (
  connection: Connection,
  id: string,
  integration: string | null,
  act: Act,
) => change(connection, sql`auth.revoke_key(${id}, ${integration}, ${actOf(act)})`, {})

function mintSecret(pepper: string) {
  const secret = mintClientSecret(randomBytes(32))
  const stored = sql`${hashToken(pepper, secret)}, ${pepperName(pepper)}, ${secret.slice(-4)}`
  return { secretId: newId('client_secret'), secret, stored }
}

export function createClient(
  connection: Connection,
  pepper: string,
  asked: CredentialRequest,
  act: Act,
) {
  const id = newId('client')
  const { secretId, secret, stored } = mintSecret(pepper)
  const statement = sql`auth.create_client(${id}, ${asked.integration}, ${asked.mode}, ${asked.name},
    ${asked.scopes ?? allScopes}::text[], ${secretId}, ${stored}, ${actOf(act)},
    ${asked.organization ?? null})`
  return change(connection, statement, { id, secretId, secret })
}

export function addClientSecret(
  connection: Connection,
  pepper: string,
  { client, integration }: { client: string; integration: string | null },
  act: Act,
) {
  const { secretId, secret, stored } = mintSecret(pepper)
  const statement = sql`auth.add_client_secret(${secretId}, ${client}, ${integration}, ${stored},
    ${actOf(act)})`
  return change(connection, statement, { secretId, secret })
}

export const revokeClientSecret = (
  connection: Connection,
  id: string,
  integration: string | null,
  act: Act,
) => change(connection, sql`auth.revoke_client_secret(${id}, ${integration}, ${actOf(act)})`, {})

export const revokeClient = (
  connection: Connection,
  id: string,
  integration: string | null,
  act: Act,
) => change(connection, sql`auth.revoke_client(${id}, ${integration}, ${actOf(act)})`, {})

/** Ends a client's tokens. The client stays active and can get new tokens with its secret. */
export const endClientTokens = (
  connection: Connection,
  id: string,
  integration: string | null,
  act: Act,
) => change(connection, sql`auth.end_client_tokens(${id}, ${integration}, ${actOf(act)})`, {})

export type AccessOfMember = {
  client: string
  person: string
  integration: string
  kind: 'agent' | 'device'
}

/** Ends a client's access on behalf of a member. Owners can end any member's access, and members
 *  can end their own. */
export const endMemberAccess = (
  connection: Connection,
  { client, person, integration, kind }: AccessOfMember,
  act: Act,
) =>
  change(
    connection,
    sql`auth.end_access(${client}, ${person}, ${integration}, ${kind}, ${actOf(act)})`,
    {},
  )
