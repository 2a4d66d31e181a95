// `/api/status`, the status page with the current status, and the last release's proof.
import { existsSync } from 'node:fs'
import type { Endpoint } from '#http/endpoint.ts'
import { etagOf, matches } from '#http/entity-tag.ts'
import { proofPath, statusPath } from '../static/dynamic.ts'
import { type Site, withoutCoding } from '../static/static.ts'
import { statusMarkup } from './page.ts'
import type { StatusReport } from './report.ts'

type StatusParts = {
  /** The current build. */
  site(): Site
  report(): Promise<StatusReport>
  /** The archive from `npm run proof`, if one was created. */
  readonly proof: string | null
}

/** How long a status is valid, and how long a CDN may cache it. */
const cacheControl = 'public, max-age=15'

export function statusEndpoints({ site, report, proof }: StatusParts): Endpoint[] {
  return [
    {
      path: proofPath,
      methods: ['GET'],
      errorFormat: 'page',
      answer: ({ raw }) =>
        proof !== null && existsSync(proof)
          ? new Response(Bun.file(proof), {
              headers: {
                'content-type': 'application/zip',
                'content-disposition': 'attachment; filename="proof.zip"',
                'cache-control': cacheControl,
              },
            })
          : site().serve(raw),
    },
    {
      path: '/api/status',
      methods: ['GET'],
      errorFormat: 'problem',
      answer: async () => ({
        body: JSON.stringify(await report()),
        headers: { 'cache-control': cacheControl },
      }),
    },
    {
      path: statusPath,
      methods: ['GET'],
      errorFormat: 'page',
      async answer({ raw }) {
        const built = site().serve(withoutCoding(raw))
        const isHtml = built.headers.get('content-type')?.startsWith('text/html') === true
        // The Markdown version is served as built, so it matches the hash in changes.json.
        if (!built.ok || !isHtml) return site().serve(raw)
        const link = proof !== null && existsSync(proof) ? proofPath : null
        return withState(built, statusMarkup(await report(), link).text, raw)
      },
    },
  ]
}

async function withState(built: Response, state: string, request: Request) {
  const text = new HTMLRewriter()
    .on('#state', { element: element => void element.setInnerContent(state, { html: true }) })
    .transform(await built.text())
  const etag = etagOf(text)
  const headers = new Headers(built.headers)
  for (const name of ['accept-ranges', 'last-modified']) headers.delete(name)
  headers.set('etag', etag)
  headers.set('cache-control', cacheControl)
  const isKnown = matches(request.headers.get('if-none-match') ?? '', etag)
  if (!isKnown) return new Response(text, { headers })
  headers.delete('content-type')
  return new Response(null, { status: 304, headers })
}
