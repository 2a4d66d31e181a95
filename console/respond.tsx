// The responses of the console: whole documents.
import { Document, htmlOf, pageHeaders, Wordmark } from '#http/html/document.tsx'
import { type Failure, FailureContent } from '#http/html/failure.tsx'
import type { VNode } from 'preact'
import type { ConsoleContext } from './context.ts'

type BarePage = {
  readonly title: string
  readonly content: VNode
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A document whose body is given. */
export function documentResponse(
  { site, assets, authUrl }: ConsoleContext,
  { title, content, status = 200, headers }: BarePage,
  cookies: readonly string[] = [],
): Response {
  const html = htmlOf(
    <Document title={`${title} · Console`} site={site} assets={assets}>
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

/** A page without the frame of a clinic. */
export const pageResponse = (
  context: ConsoleContext,
  page: BarePage,
  cookies?: readonly string[],
): Response =>
  documentResponse(
    context,
    {
      ...page,
      content: (
        <>
          <header class="bar">
            <Wordmark site={context.site}>
              <span class="wordmark-part">Console</span>
            </Wordmark>
          </header>
          {page.content}
        </>
      ),
    },
    cookies,
  )

export const failurePage = (context: ConsoleContext, failure: Failure): Response =>
  pageResponse(context, {
    title: failure.title,
    status: failure.status,
    ...(failure.headers && { headers: failure.headers }),
    content: <FailureContent {...failure} />,
  })
