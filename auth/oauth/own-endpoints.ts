// Handles the endpoints that don't reach the library, and checks all other requests before the
// library handles them.

import { jsonType, type OwnContext } from './context.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { limits } from '#contract/limits.ts'
import { presentedClient, type PresentedClient } from './clients/client-authentication.ts'
import { issueClientToken } from './tokens/client-credentials.ts'
import type { MintClientToken } from './tokens/mint-client-tokens.ts'
import { grantTypes, oauthPaths as paths } from '#contract/oauth.ts'
import { audienceOf, type Resources } from './families.ts'
import { requestedOrganization } from './tokens/organizations.ts'
import { readBody, readForm, withForm } from './form.ts'
import { jsonTypeOf } from '#http/json-body.ts'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { type Limiters, takeOne } from './limiters.ts'
import { answerPreflight } from './cors.ts'
import { clientRefused, OAuthRefusal } from './refuse.ts'
import { reportKey } from './report-key.ts'
import { type ClientDocuments, isDocumentUrl } from './clients/client-documents.ts'
import { checkedMetadata, registerClient } from './clients/registration.ts'
import type { AuditedCall } from './audit.ts'
import type { OAuthRequest } from './request.ts'
import type { Secrets } from './secrets.ts'

type OwnParts = {
  readonly pool: ConnectionPool
  readonly secrets: Secrets
  readonly resources: Resources
  readonly limiters: Limiters
  readonly documents: ClientDocuments
  readonly metadata: string
  readonly mintClientToken: MintClientToken
}

/** Returns whether the request was handled. If not, it is now checked and ready for the library. */
export async function answerOwn(
  parts: OwnParts,
  context: OwnContext,
  request: OAuthRequest,
): Promise<boolean> {
  const { path, method } = context
  if (method === 'OPTIONS') return answerPreflight(context)
  if (path === paths.metadata) return answerMetadata(parts, context)
  if (path === paths.registration) return register(parts, context, request)
  if (path === paths.keyReport) return reportKey(parts, context, request)
  if (method === 'POST') return answerForm(parts, context, request)
  await normalizeQuery(parts, context, request)
  return false
}

function answerMetadata({ metadata }: OwnParts, context: OwnContext): true {
  context.set('content-type', jsonType)
  context.body = metadata
  return true
}

async function register(
  { pool, secrets, limiters }: OwnParts,
  context: OwnContext,
  { call }: OAuthRequest,
): Promise<true> {
  if (jsonTypeOf(context.get('content-type'))?.isItself !== true) {
    throw new OAuthRefusal('invalid_request', 'the body must be application/json')
  }
  const text = await readBody(context.req, limits.registrationBytesMax)
  const metadata = checkedMetadata(parsed(text))
  const network = await countRegistration({ secrets, limiters }, call)
  context.body = await pool.use(connection => registerClient(connection, call, network, metadata))
  context.status = 201
  return true
}

/** Counts one more client from the caller's network; returns the network's HMAC. */
export async function countRegistration(
  { secrets, limiters }: Pick<OwnParts, 'secrets' | 'limiters'>,
  call: AuditedCall,
): Promise<string> {
  const network = networkOf(call.address)
  await takeOne(limiters.registrations, network, 'registrations from your network')
  return Buffer.from(secrets.hash(`network ${network}`)).toString('base64url')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OAuthRefusal('invalid_client_metadata', 'the body must be JSON')
  }
}

async function answerForm(
  parts: OwnParts,
  context: OwnContext,
  request: OAuthRequest,
): Promise<boolean> {
  const form = await readForm(context.req)
  const authorization = context.get('authorization') || undefined
  const presented = presentedClient(authorization, form)
  if (presented === null) throw clientRefused(false)
  const client = { ...presented, id: await idOf(parts, context, request, presented.id) }
  if (form.has('client_id')) form.set('client_id', client.id)
  request.client = client.id
  if (context.path === paths.token) {
    await takeOne(parts.limiters.tokens, callerOf(parts, client, form, request), 'token requests')
    checkGrantType(form.get('grant_type'))
    if (form.get('grant_type') === 'client_credentials') {
      context.body = await issueClientToken(parts, request.call, client, form)
      return true
    }
    request.organization = requestedOrganization(form)
  }
  normalizeResources(form, parts.resources)
  context.req = withForm(context.req, form)
  return false
}

/** The row ID of a client named by its document's URL. The authorization and device endpoints read
 *  the document. The others use the row from an earlier read. */
async function idOf(
  { documents }: OwnParts,
  { path }: OwnContext,
  { call }: OAuthRequest,
  clientId: string,
): Promise<string> {
  if (!isDocumentUrl(clientId)) return clientId
  const isAsking = path === paths.authorization || path === paths.deviceAuthorization
  return isAsking ? documents.current(call, clientId) : documents.known(clientId)
}

/** Each secret, code or token counts as its own caller, so wrong guesses don't use up the client's
 *  quota. */
function callerOf(
  { secrets }: OwnParts,
  { id, secret }: PresentedClient,
  form: URLSearchParams,
  { call }: OAuthRequest,
): string {
  const names = ['refresh_token', 'code', 'device_code'] as const
  const presented = secret ?? names.map(name => form.get(name)).find(value => value !== null)
  return presented == null
    ? `${id} ${networkOf(call.address)}`
    : `${id} ${Buffer.from(secrets.hash(presented)).toString('base64')}`
}

function checkGrantType(given: string | null): void {
  if (given === null || given === '') {
    throw new OAuthRefusal('invalid_request', 'grant_type must be sent')
  }
  if (!(grantTypes as readonly string[]).includes(given)) {
    throw new OAuthRefusal(
      'unsupported_grant_type',
      `grant_type must be one of ${grantTypes.join(', ')}`,
    )
  }
}

/** Ignores a trailing slash in a resource's URL. */
function normalizeResources(form: URLSearchParams, resources: Resources): void {
  const given = form.getAll('resource')
  if (given.length === 0) return
  form.delete('resource')
  for (const url of new Set(given)) {
    const name = audienceOf(resources, url)
    form.append('resource', name === null ? url : resources[name])
  }
}

async function normalizeQuery(
  parts: OwnParts,
  context: OwnContext,
  request: OAuthRequest,
): Promise<void> {
  const query = new URLSearchParams(context.querystring)
  const clientId = query.get('client_id') ?? ''
  request.client = clientId
  if (!query.has('resource') && !isDocumentUrl(clientId)) return
  normalizeResources(query, parts.resources)
  if (clientId !== '') {
    request.client = await idOf(parts, context, request, clientId)
    query.set('client_id', request.client)
  }
  context.querystring = query.toString()
}
