// The responses of the portal: whole documents, and redirects.
import type { VNode } from 'preact'
import { Document, htmlOf, pageHeaders, Wordmark } from '#http/html/document.tsx'
import type { PortalContext } from './context.ts'

type BarePage = {
  readonly title: string
  readonly content: VNode
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A document whose body is given. */
export function documentResponse(
  { site, assets, authUrl }: PortalContext,
  { title, content, status = 200, headers }: BarePage,
  cookies: readonly string[] = [],
): Response {
  const html = htmlOf(
    <Document title={`${title} · Portal`} site={site} assets={assets}>
      {content}
    </Document>,
  )
  // A form may lead to a fresh second factor, which is proved at AUTH_URL.
  const sent = new Headers({
    ...pageHeaders({ scripts: true, formTargets: [authUrl] }),
    ...headers,
  })
  for (const cookie of cookies) sent.append('set-cookie', cookie)
  return new Response(html, { status, headers: sent })
}

/** A page without the frame of an integration. */
export const pageResponse = (
  portal: PortalContext,
  page: BarePage,
  cookies?: readonly string[],
): Response =>
  documentResponse(
    portal,
    {
      ...page,
      content: (
        <>
          <header class="bar">
            <Wordmark site={portal.site}>
              <span class="wordmark-part">Portal</span>
            </Wordmark>
          </header>
          {page.content}
        </>
      ),
    },
    cookies,
  )
