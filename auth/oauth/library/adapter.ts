// Stores oidc-provider's models in our tables. The library finds tokens by value, the database by
// HMAC. This server uses only models that have a function here.

import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { ConnectionPool } from '#database/pool.ts'
import { findClient } from '../clients/clients.ts'
import { currentRequest, currentRoute } from './current-request.ts'
import type { Secrets } from '../secrets.ts'
import {
  audienceOf,
  endFamily,
  findFamily,
  grantOf,
  type Resources,
  scopesOf,
} from '../families.ts'
import { endClientToken, findToken } from '../tokens/issued-tokens.ts'
import { codeModel, deviceModel, interactionModel, refreshTokenModel } from './artifact-models.ts'
import { type AdapterParts, type Model, theRequest } from './model.ts'

const noModel: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

export function createAdapter(parts: AdapterParts): (model: string) => Adapter {
  const models: Record<string, Model> = {
    Client: clientModel(parts),
    Grant: grantModel(parts),
    AccessToken: accessTokenModel(parts),
    ClientCredentials: clientTokenModel(parts),
    RefreshToken: refreshTokenModel(parts),
    AuthorizationCode: codeModel(parts),
    DeviceCode: deviceModel(parts),
    Interaction: interactionModel(parts),
  }
  // The library's session isn't stored. It isn't needed, because the person's own session
  // identifies them and each authorization prompts them again, and a second session could
  // contradict the first.
  return model => ({ ...noModel, ...models[model] })
}

const clientModel = ({ pool }: AdapterParts): Model => ({
  find: async id => {
    const found = await pool.use(connection => findClient(connection, id))
    const request = currentRequest()
    if (request !== undefined) request.secretHashes = found?.secretHashes ?? []
    return found?.payload as AdapterPayload | undefined
  },
})

function grantModel({ pool, resources }: AdapterParts): Model {
  return {
    async find(id) {
      const known = currentRequest()?.families.get(id)
      const family = known ?? (await pool.use(connection => findFamily(connection, id)))
      return family === null ? undefined : (grantOf(family, resources) as AdapterPayload)
    },
    destroy: id => endOnce(pool, id, currentRoute() === 'revocation' ? 'revoked' : 'reused'),
  }
}

/** The library ends each of a grant's models separately; here they all end with their family. */
async function endOnce(pool: ConnectionPool, id: string, reason: 'revoked' | 'reused') {
  const { call } = theRequest()
  await pool.use(connection => endFamily(connection, call, id, reason))
}

function accessTokenModel({ pool, secrets, resources }: AdapterParts): Model {
  return {
    find: value => findIssued(pool, secrets, resources, value, ['agent', 'device']),
    async upsert(value, { scope, aud }, seconds) {
      const audience = audienceOf(resources, String(aud))
      theRequest().access = {
        value,
        scopes: scopesOf(scope),
        audience: audience === null ? [] : [audience],
        seconds: Number(seconds),
      }
    },
  }
}

function clientTokenModel({ pool, secrets, resources }: AdapterParts): Model {
  return {
    find: value => findIssued(pool, secrets, resources, value, ['client']),
    upsert: () =>
      Promise.reject(new Error('client-credentials.ts issues the tokens of confidential clients')),
    async destroy(value) {
      const { call } = theRequest()
      await pool.use(connection => endClientToken(connection, call, secrets.hashes(value)))
    },
  }
}

async function findIssued(
  pool: ConnectionPool,
  { hashes }: Secrets,
  resources: Resources,
  value: string,
  kinds: readonly string[],
): Promise<AdapterPayload | undefined> {
  const found = await pool.use(connection => findToken(connection, hashes(value), kinds))
  if (found === undefined) return undefined
  if (found.family !== null) currentRequest()?.families.set(found.family.id, found.family)
  const { client, person, family, scopes, audience, iat, exp } = found
  const urls = (audience ?? (['api', 'mcp'] as const)).map(name => resources[name])
  return {
    kind: kinds.includes('client') ? 'ClientCredentials' : 'AccessToken',
    jti: value,
    clientId: client,
    ...(person === null ? {} : { accountId: person, grantId: family?.id }),
    scope: scopes.join(' '),
    aud: urls.length === 1 ? urls[0] : urls,
    iat,
    exp,
  }
}
