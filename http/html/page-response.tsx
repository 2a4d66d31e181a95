// The responses of pages with a session, at an origin of their own: whole documents, with or
// without the frame.
import type { ComponentChildren, VNode } from 'preact'
import type { PageAssets } from './assets.ts'
import { Document, htmlOf, pageHeaders, type Site, Wordmark } from './document.tsx'
import { type Failure, FailureContent } from './failure.tsx'

/** What the pages of an origin have in common. */
export type PageOrigin = {
  readonly name: 'portal' | 'console'
  readonly site: Site
  readonly assets: PageAssets
  readonly authUrl: string
}

type BarePage = {
  readonly title: string
  readonly content: VNode
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const parts = { portal: 'Portal', console: 'Console' } as const

/** A document whose body is given. */
export function documentResponse(
  { name, site, assets, authUrl }: PageOrigin,
  { title, content, status = 200, headers }: BarePage,
  cookies: readonly string[] = [],
): Response {
  const html = htmlOf(
    <Document title={`${title} · ${parts[name]}`} site={site} assets={assets}>
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

/** A page without the frame of an integration or a clinic. */
export const pageResponse = (
  origin: PageOrigin,
  page: BarePage,
  cookies?: readonly string[],
): Response =>
  documentResponse(
    origin,
    {
      ...page,
      content: (
        <>
          <header class="bar">
            <Wordmark site={origin.site}>
              <span class="wordmark-part">{parts[origin.name]}</span>
            </Wordmark>
          </header>
          {page.content}
        </>
      ),
    },
    cookies,
  )

export const failurePage = (origin: PageOrigin, failure: Failure): Response =>
  pageResponse(origin, {
    title: failure.title,
    status: failure.status,
    ...(failure.headers && { headers: failure.headers }),
    content: <FailureContent {...failure} />,
  })

/** The frame: `start` and `end` are the two sides of the bar. The navigation is beside the page,
 *  and in a menu on a phone. */
export const Frame = (props: {
  readonly site: Site
  readonly start: ComponentChildren
  readonly end: ComponentChildren
  readonly navigation: VNode
  readonly children: ComponentChildren
}) => (
  <>
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="bar">
      <div class="bar-start">
        <Wordmark site={props.site} />
        {props.start}
      </div>
      <div class="bar-end">{props.end}</div>
    </header>
    <div class="frame">
      <details class="menu">
        <summary>Menu</summary>
        {props.navigation}
      </details>
      <aside class="side">{props.navigation}</aside>
      <main id="content" tabindex={-1}>
        {props.children}
      </main>
    </div>
  </>
)
