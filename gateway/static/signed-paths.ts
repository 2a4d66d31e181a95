// The paths of a running gateway's signatures. A build has none, because an editor's push runs code
// in the build, and that code must not be able to read the key.

export const jwksPath = '/.well-known/jwks.json'

/** The card contains its signature, so it differs from the build's file. */
export const cardPaths: readonly string[] = [
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
]

/** Each catalog has its detached signature next to it. */
export const signedCatalogs: readonly string[] = [
  '/.well-known/ai-catalog.json',
  '/.well-known/ard.json',
  '/.well-known/api-catalog',
  '/.well-known/agent-skills/index.json',
  '/.well-known/mcp.json',
  '/.well-known/mcp-docs.json',
  '/.well-known/mcp/server-card.json',
  '/.well-known/acp.json',
]

export const signaturePathOf = (path: string) => `${path}.jws`

/** Paths that only a gateway serves. */
export const signaturePaths = [jwksPath, ...signedCatalogs.map(signaturePathOf)]
