// Serves the contract that `bun run generate` wrote, from memory. The YAML document is derived from
// the JSON one.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { exampleBase } from '#contract/derive/clinical.ts'
import { openapiYaml } from '#contract/derive/yaml.ts'
import { allScopes } from '#contract/scopes.ts'
import { LaunchError } from '#database/launch-error.ts'
import { resourcePath } from './dynamic.ts'
import { etagOf, matches } from '#http/entity-tag.ts'

const generated = path.join(import.meta.dir, '../..', 'contract', 'generated')

const files = {
  '/openapi/v1.json': { name: 'openapi.v1.json', type: 'application/json' },
  '/openapi/v1.yaml': { name: 'openapi.v1.json', type: 'application/yaml' },
  '/postman/collection.json': { name: 'postman.v1.json', type: 'application/json' },
  '/postman/environment.sandbox.json': { name: 'postman.sandbox.json', type: 'application/json' },
} as const

export type Documents = ReadonlyMap<string, (request: Request) => Response>

/**
 * What a 401 points to (RFC 9728). No authorization server is named, because there is none yet:
 * keys come from the operator.
 */
const protectedResource = (base: string) => ({
  resource: base,
  bearer_methods_supported: ['header'],
  scopes_supported: allScopes,
  resource_name: 'Clinical Integrations API',
  resource_documentation: `${base}/docs/authentication`,
})

/** With the base URL of this gateway in place of the example's. */
export function loadDocuments(base: string, folder = generated): Documents {
  const resource = () => JSON.stringify(protectedResource(base))
  return new Map([
    [resourcePath, serving('application/json', resource)],
    ...Object.entries(files).map(([url, { name, type }]) => {
      const file = path.join(folder, name)
      if (!existsSync(file)) {
        throw new LaunchError(`${file} is missing; \`bun run generate\` writes it.`)
      }
      const text = readFileSync(file, 'utf8').replaceAll(exampleBase, base)
      const make = () => (type === 'application/yaml' ? openapiYaml(text) : text)
      return [url, serving(type, make)] as const
    }),
  ])
}

/**
 * `make` runs on the first request: the YAML document takes 25 ms, which no start has to wait for.
 */
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
    etag,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    // Pages of other origins may show the contract: it contains no private data.
    'access-control-allow-origin': '*',
  }
  return { bytes, headers }
}
