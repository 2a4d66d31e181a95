// oidc-provider, set up as an OAuth 2.1 server without OpenID: no ID tokens, no user info, no JWT.
// Decided in docs/decisions/0090-run-oidc-provider-over-our-own-rows.md.

import { daySeconds } from '#contract/moments.ts'
import { generateKeyPairSync } from 'node:crypto'
import type {
  Client,
  Configuration,
  KoaContextWithOIDC,
  Provider as ProviderType,
} from 'oidc-provider'
import { limits } from '#contract/limits.ts'
import { allScopes } from '#contract/scopes.ts'
import { randomBytes } from '#database/clock.ts'
import { createAdapter } from './adapter.ts'
import { CookieSignatures } from './cookie-signatures.ts'
import type { AdapterParts } from './model.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { audienceOf, scopesOf, unknownScopes } from '../families.ts'
import { isOfIntegration } from '../tokens/issued-tokens.ts'
import { errors, interactionPolicy, Provider } from './library.ts'
import { currentRequest } from './current-request.ts'

/** The time to sign in, set up a second factor and decide. */
const interactionSeconds = 1_800

export type ProviderParts = AdapterParts & {
  readonly issuer: string
  /** The page where a person decides on an authorization. */
  readonly consentPath: (interaction: string) => string
  /** Shows an error that must not be sent to a client. */
  readonly renderError: (context: KoaContextWithOIDC, out: { error: string }) => void
}

export function createProvider(parts: ProviderParts): ProviderType {
  const provider = new Provider(parts.issuer, {
    ...features(parts),
    adapter: createAdapter(parts),
    jwks: { keys: [unusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    scopes: [...allScopes],
    responseTypes: ['code'],
    pkce: { required: () => true },
    cookies: cookies(parts),
    ttl: lifetimes,
    routes: routes(),
    interactions: {
      policy: [consentPrompt()] as never,
      url: (_context: unknown, interaction: { uid: string }) => parts.consentPath(interaction.uid),
    },
    extraParams: { scope: checkScope, response_mode: checkResponseMode },
    allowOmittingSingleRegisteredRedirectUri: false,
    loadExistingGrant: async (context: KoaContextWithOIDC) => {
      const id = context.oidc.result?.consent?.grantId
      return id === undefined ? undefined : context.oidc.provider.Grant.find(id)
    },
    // Accounts aren't checked here, because a family ends with its person's account.
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
    issueRefreshToken: async (_context: unknown, client: Client) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    renderError: async (context: KoaContextWithOIDC, out: { error: string }) =>
      parts.renderError(context, out),
    enableHttpPostMethods: false,
  } as unknown as Configuration)
  provider.proxy = true
  issueOurFormats(provider, parts)
  return provider
}

/** The library needs a key to start. Nothing is signed with it, and no document publishes it. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'unused' }
}

function features({ pool, secrets, resources }: ProviderParts) {
  const allowedAtResource = (url: string) => {
    if (audienceOf(resources, url) === null) throw new errors.InvalidTarget()
    return {
      scope: allScopes.join(' '),
      audience: url,
      accessTokenFormat: 'opaque',
      accessTokenTTL: limits.accessTokenSeconds,
    }
  }
  return {
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      introspection: {
        enabled: true,
        allowedPolicy: (
          _context: KoaContextWithOIDC,
          client: { clientId: string },
          token: { jti: string },
        ) =>
          pool.use(connection =>
            isOfIntegration(connection, client.clientId, secrets.hashes(token.jti)),
          ),
      },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        deviceInfo: () => ({
          address: currentRequest()?.call.address,
          agent: currentRequest()?.call.agent,
        }),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (context: KoaContextWithOIDC, _client: unknown, several?: string[]) =>
          defaultResource(context, resources.mcp, several),
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, url: string) => allowedAtResource(url),
      },
    },
  }
}

const isOwnToken = (
  _context: KoaContextWithOIDC,
  client: { clientId: string },
  token: { clientId?: string },
) => token.clientId === client.clientId

/** Deployed clients omit `resource` and mean the tool server; a device must send it. */
function defaultResource(context: KoaContextWithOIDC, mcp: string, several?: string[]): string {
  if (several !== undefined) return several.includes(mcp) ? mcp : (several[0] ?? mcp)
  if (context.oidc.route === 'device_authorization') {
    throw new errors.InvalidTarget('resource must be sent')
  }
  return mcp
}

/** Defaults to all of the client's scopes. An unknown scope is an error. */
function checkScope(
  { oidc }: KoaContextWithOIDC,
  value: unknown,
  client: { scope?: string },
): void {
  const asked = scopesOf(typeof value === 'string' ? value : undefined)
  const [unknown] = unknownScopes(asked)
  if (unknown !== undefined) {
    throw new errors.InvalidScope('scope must contain only scopes that the metadata lists', '')
  }
  if (asked.length === 0 && oidc.params !== undefined) {
    oidc.params['scope'] = client.scope ?? allScopes.join(' ')
  }
}

/** Codes are sent only in the query, as the metadata declares. */
function checkResponseMode({ oidc }: KoaContextWithOIDC, value: unknown): void {
  if (value === undefined || value === 'query') return
  if (oidc.params !== undefined) oidc.params['response_mode'] = undefined
  throw new errors.UnsupportedResponseMode()
}

/** Every authorization prompts the person again, because anyone can impersonate a client that has
 *  no secret. */
function consentPrompt() {
  const { Check, Prompt } = interactionPolicy
  return new Prompt(
    { name: 'consent', requestable: true },
    new Check(
      'consent_needed',
      'the user must decide',
      'consent_required',
      context => context.oidc.result?.consent === undefined,
    ),
  )
}

function cookies({ issuer, secrets }: ProviderParts) {
  const isSecure = issuer.startsWith('https:')
  const name = (text: string) => `${isSecure ? '__Secure-' : ''}auth_${text}`
  const options = {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    signed: true,
    overwrite: true,
  }
  return {
    names: { session: name('unused'), interaction: name('interaction'), resume: name('resume') },
    keys: new CookieSignatures(secrets.cookieKeys),
    long: options,
    short: options,
  }
}

const lifetimes = {
  AccessToken: limits.accessTokenSeconds,
  ClientCredentials: limits.accessTokenSeconds,
  AuthorizationCode: limits.authorizationCodeSeconds,
  DeviceCode: limits.deviceCodeSeconds,
  Interaction: interactionSeconds,
  Session: interactionSeconds,
  Grant: limits.refreshFamilyDays * daySeconds,
  RefreshToken: (_context: unknown, token: { totalLifetime(): number }) =>
    Math.max(
      1,
      Math.min(
        limits.refreshTokenDays * daySeconds,
        limits.refreshFamilyDays * daySeconds - token.totalLifetime(),
      ),
    ),
}

const routes = () => ({
  authorization: paths.authorization,
  token: paths.token,
  revocation: paths.revocation,
  introspection: paths.introspection,
  device_authorization: paths.deviceAuthorization,
  code_verification: paths.device,
})

type Token = { format?: string }
type Model = { prototype: { generateTokenId(): string } }

/** Sets the format of values, and the comparison of client secrets. */
function issueOurFormats(provider: ProviderType, { secrets }: ProviderParts): void {
  const values = (model: unknown, generate: () => string) =>
    void ((model as Model).prototype.generateTokenId = function generateTokenId(this: Token) {
      // The library's own function would set this; the format is never a JWT.
      this.format = 'opaque'
      return generate()
    })
  // A person's token is always in test mode.
  values(provider.AccessToken, () => secrets.accessToken('test'))
  values(provider.RefreshToken, () => {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti
    if (rotated === undefined) return secrets.refreshToken()
    return currentRequest()?.successor ?? secrets.successor(rotated)
  })
  values(provider.AuthorizationCode, () => randomText())
  values(provider.DeviceCode, () => randomText())
  const client = provider.Client as unknown as {
    prototype: { compareClientSecret(given: string): boolean }
  }
  client.prototype.compareClientSecret = given =>
    secrets.isOneOf(given, currentRequest()?.secretHashes ?? [])
}

const randomText = () => Buffer.from(randomBytes(32)).toString('base64url')
