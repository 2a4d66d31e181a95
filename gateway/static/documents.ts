// The contract as files: what `bun run generate` wrote, read once and served from memory.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { exampleBase } from '#contract/derive/clinical.ts'
import { allScopes } from '#contract/scopes.ts'
import { LaunchError } from '#database/launch-error.ts'
import { resourcePath } from './dynamic.ts'
import { matches } from './representation.ts'

const generated = path.join(import.meta.dir, '../..', 'contract', 'generated')

const files = {
  '/openapi/v1.json': { name: 'openapi.v1.json', type: 'application/json' },
  '/openapi/v1.yaml': { name: 'openapi.v1.yaml', type: 'application/yaml' },
  '/postman/collection.json': { name: 'postman.v1.json', type: 'application/json' },
  '/postman/environment.sandbox.json': { name: 'postman.sandbox.json', type: 'application/json' },
} as const

export type Documents = ReadonlyMap<string, (request: Request) => Response>

/**
 * What a 401 points to (RFC 9728). No authorization server is named, because there is none yet:
 * keys come from whoever runs the house.
 */
const protectedResource = (base: string) => ({
  resource: base,
  bearer_methods_supported: ['header'],
  scopes_supported: allScopes,
  resource_name: 'Clinical Integrations API',
  resource_documentation: `${base}/docs/authentication`,
})

/** With our own address in the place of the example's. */
export function loadDocuments(base: string, folder = generated): Documents {
  const discovery = new TextEncoder().encode(JSON.stringify(protectedResource(base)))
  return new Map([
    [resourcePath, serving(discovery, 'application/json')],
    ...Object.entries(files).map(([url, { name, type }]) => {
      const file = path.join(folder, name)
      if (!existsSync(file)) {
        throw new LaunchError(`${file} is missing; \`bun run generate\` writes it.`)
      }
      const text = readFileSync(file, 'utf8').replaceAll(exampleBase, base)
      return [url, serving(new TextEncoder().encode(text), type)] as const
    }),
  ])
}

function serving(bytes: Uint8Array<ArrayBuffer>, type: string) {
  const etag = `"${new Bun.CryptoHasher('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const headers = {
    'content-type': type,
    etag,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    // A page elsewhere may show the contract; it holds nothing of anybody's.
    'access-control-allow-origin': '*',
  }
  return ({ method, headers: asked }: Request): Response => {
    if (matches(asked.get('if-none-match') ?? '', etag)) {
      return new Response(null, { status: 304, headers })
    }
    if (method !== 'HEAD') return new Response(bytes, { headers })
    const length = { 'content-length': String(bytes.length) }
    return new Response(null, { headers: { ...headers, ...length } })
  }
}
