// A refusal by the authorization server: a code from RFC 6749 or a related RFC, a description of
// the requirement, and a status.

type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'temporarily_unavailable'
  | 'server_error'
  | 'not_found'

const statuses: Partial<Record<OAuthCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
  server_error: 500,
  not_found: 404,
}

type More = { status?: number; headers?: Readonly<Record<string, string>>; client?: string }

export class OAuthRefusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The refused client, if known. */
  readonly client: string | undefined

  constructor(
    readonly code: OAuthCode,
    readonly description: string,
    { status, headers = {}, client }: More = {},
  ) {
    super(`${code}: ${description}`)
    this.status = status ?? statuses[code] ?? 400
    this.headers = headers
    this.client = client
  }

  get body() {
    return { error: this.code, error_description: this.description }
  }
}

/** An unknown client and a wrong secret get the same refusal. */
export const clientRefused = (usedBasic: boolean) =>
  new OAuthRefusal('invalid_client', 'client authentication failed', {
    headers: usedBasic ? { 'www-authenticate': 'Basic realm="oauth"' } : {},
  })
