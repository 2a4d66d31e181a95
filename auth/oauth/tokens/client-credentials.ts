// Confidential clients' tokens. The library would look the client up, build its model and save a
// token, which takes two round trips and several milliseconds of CPU time. Here, one statement does
// all that for simultaneous requests (mint-client-tokens.ts).

import { scopesOfSmart } from '#contract/fhir/documents.ts'
import { isId } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import { allScopes, type Audience } from '#contract/scopes.ts'
import { randomBytes } from '#database/clock.ts'
import { newId } from '../../ids.ts'
import { isClientSecret } from '../../tokens.ts'
import type { AuditedCall } from '../audit.ts'
import type { PresentedClient } from '../clients/client-authentication.ts'
import { audienceOf, isScope, type Resources, scopesOf } from '../families.ts'
import { clientRefused, OAuthRefusal } from '../refuse.ts'
import { organizationRefused, requestedOrganization } from './organizations.ts'
import type { Secrets } from '../secrets.ts'
import type { MintClientToken, ClientTokenRow } from './mint-client-tokens.ts'

type Parts = { mintClientToken: MintClientToken; secrets: Secrets; resources: Resources }

export type ClientToken = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

export async function issueClientToken(
  { mintClientToken, secrets, resources }: Parts,
  call: AuditedCall,
  client: PresentedClient,
  form: URLSearchParams,
): Promise<ClientToken> {
  const audience = requestedAudience(resources, form.getAll('resource'))
  const asked = scopesOfSmart(scopesOf(form.get('scope') ?? ''))
  const organization = requestedOrganization(form)
  if (!isId('cli', client.id)) throw clientRefused(client.usedBasic)
  // A malformed secret can't be valid, but is looked up like any other wrong secret.
  const secret = client.secret !== null && isClientSecret(client.secret) ? client.secret : ''
  const random = randomBytes(32)
  const values = {
    test: secrets.accessToken('test', random),
    live: secrets.accessToken('live', random),
  }
  // A statement log would contain the parameters, and an unknown scope may be a secret.
  const known = asked.map(scope => (isScope(scope) ? scope : 'unknown'))
  const scopes = asked.length === 0 ? null : known
  const minted = await mintClientToken({
    call,
    token: newId('token'),
    client: client.id,
    secrets: secrets.hexHashes(secret),
    values: { test: storedOf(secrets, values.test), live: storedOf(secrets, values.live) },
    pepper: secrets.pepper,
    scopes,
    audience,
    organization,
  })
  if (!minted?.is_issued) throw refusalOf(minted, client, asked)
  return {
    access_token: values[minted.mode],
    token_type: 'Bearer',
    expires_in: limits.accessTokenSeconds,
    scope: allScopes.filter(scope => (scopes ?? minted.scopes).includes(scope)).join(' '),
  }
}

const storedOf = (secrets: Secrets, value: string) => ({
  hash: secrets.hash(value).toHex(),
  last4: value.slice(-4),
})

/** Returns null if the token is usable at every resource. */
function requestedAudience(resources: Resources, given: readonly string[]): Audience[] | null {
  if (given.length === 0) return null
  const names = given.map(url => audienceOf(resources, url))
  const known = [...new Set(names)].filter(name => name !== null)
  if (known.length === 0 || names.includes(null)) {
    const urls = Object.values(resources).join(' or ')
    throw new OAuthRefusal('invalid_target', `resource must be ${urls}`)
  }
  return known
}

function refusalOf(
  minted: ClientTokenRow | undefined,
  { id, secret, usedBasic }: PresentedClient,
  asked: readonly string[],
): OAuthRefusal {
  const client = { client: id }
  if (minted?.kind === 'registered' && secret === null) {
    const detail = 'client_credentials is for confidential clients created for an integration'
    return new OAuthRefusal('unauthorized_client', detail, client)
  }
  if (!minted?.is_authenticated) return clientRefused(usedBasic)
  if (!minted.is_permitted) {
    const detail = 'live tokens need an agreement in effect and an active grant'
    return new OAuthRefusal('unauthorized_client', detail, client)
  }
  if (!minted.may_be_pinned) return organizationRefused(id)
  if (!asked.every(scope => minted.scopes.includes(scope))) {
    return new OAuthRefusal(
      'invalid_scope',
      "scope must be a subset of the client's scopes",
      client,
    )
  }
  return clientRefused(usedBasic)
}
