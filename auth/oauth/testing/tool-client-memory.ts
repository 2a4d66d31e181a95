// A tool client's stored data while it gets a token, in the form both protocol libraries expect.

/** The minimum that a tool client has to remember. */
export function toolClientMemory(callback: string, clientMetadataUrl?: string, more: object = {}) {
  const kept: {
    client?: { client_id: string }
    tokens?: { access_token: string; token_type: string; refresh_token?: string | undefined }
    verifier?: string
    sentTo?: URL
    discovered?: unknown
  } = {}
  return {
    kept,
    redirectUrl: callback,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'A tool client',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...more,
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: { client_id: string }) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: NonNullable<typeof kept.tokens>) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.sentTo = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state: unknown) => void (kept.discovered = state),
    discoveryState: () => kept.discovered,
  }
}
