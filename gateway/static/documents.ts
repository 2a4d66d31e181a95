// Serves the contract's documents, each built on its first request.
import { resourceMetadata } from '#auth/oauth/endpoints.ts'
import { type Addresses, withAddresses } from '#contract/derive/clinical.ts'
import { openapiYaml } from '#contract/derive/yaml.ts'
import { documents } from '#contract/derive/documents.ts'
import { apiVersion } from '#contract/limits.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import { allScopes } from '#contract/scopes.ts'
import type { Contract } from '#mcp/docs/resources.ts'
import { etagOf, matches } from '#http/entity-tag.ts'

const files = {
  '/openapi/v1.json': { name: 'openapi.v1.json', type: 'application/json' },
  '/openapi/v1.yaml': { name: 'openapi.v1.json', type: 'application/yaml' },
  '/openapi/preview.json': { name: 'openapi.preview.json', type: 'application/json' },
  '/openapi/preview.yaml': { name: 'openapi.preview.json', type: 'application/yaml' },
  '/postman/collection.json': { name: 'postman.v1.json', type: 'application/json' },
  '/postman/environment.sandbox.json': { name: 'postman.sandbox.json', type: 'application/json' },
} as const

export type Documents = ReadonlyMap<string, (request: Request) => Response>

/** The clinical API's contract, with these URLs instead of the examples'. */
export function loadContract(addresses: Addresses): Contract {
  const json = textOf('openapi.v1.json', addresses)
  let yaml: string | undefined
  return { document: JSON.parse(json), yaml: () => (yaml ??= openapiYaml(json)) }
}

const textOf = (name: keyof typeof documents, addresses: Addresses) =>
  withAddresses(documents[name](), addresses)

/** The documents by path, with these URLs instead of the examples'. */
export function loadDocuments(addresses: Addresses): Documents {
  const { api, auth } = addresses
  /** The metadata that a 401 points to (RFC 9728). */
  const resource = () =>
    resourceMetadata('api', api, {
      issuer: auth,
      documentation: `${api}/docs/authentication`,
      scopes: allScopes,
    })
  return new Map([
    [resourceMetadataPath, serving('application/json', resource)],
    ...Object.entries(files).map(([url, { name, type }]) => {
      const make = () => {
        const text = textOf(name, addresses)
        return type === 'application/yaml' ? openapiYaml(text) : text
      }
      return [url, serving(type, make)] as const
    }),
  ])
}

/** `make` runs on the first request, because building a document takes up to 90 ms and would slow
 *  down every start. */
function serving(type: string, make: () => string) {
  let document: ReturnType<typeof documentOf> | undefined
  return ({ method, headers: requested }: Request): Response => {
    document ??= documentOf(type, make())
    const { bytes, headers } = document
    if (matches(requested.get('if-none-match') ?? '', headers.etag)) {
      return new Response(null, { status: 304, headers })
    }
    if (method !== 'HEAD') return new Response(bytes, { headers })
    const length = { 'content-length': String(bytes.length) }
    return new Response(null, { headers: { ...headers, ...length } })
  }
}

function documentOf(type: string, text: string) {
  const bytes = new TextEncoder().encode(text)
  const etag = etagOf(bytes)
  const headers = {
    'content-type': type,
    'api-version': apiVersion,
    etag,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    // Pages on other origins may show the contract, because it contains no private data.
    'access-control-allow-origin': '*',
  }
  return { bytes, headers }
}
