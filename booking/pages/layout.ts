// Booking pages use the layout of the built /booking page, with another title and main element, so
// they always look like the served site.
import company from '#content/site.config.ts'
import { markup, type Markup } from '#http/html/markup.ts'

export type Page = {
  readonly title: string
  readonly body: Markup
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The part of a site build that booking pages use. */
export type BuiltPages = { serve(request: Request): Response | Promise<Response> }

export type Layout = (page: Page) => Promise<Response>

type LayoutParts = { readonly pieces: readonly string[]; readonly policy: string }

const [titleMarker, bodyMarker] = ['\u0001title\u0001', '\u0001body\u0001']

export function createLayout(current: () => BuiltPages): Layout {
  const layouts = new WeakMap<BuiltPages, Promise<LayoutParts>>()
  return async ({ title, body, status = 200, headers = {} }) => {
    const site = current()
    let layout = layouts.get(site)
    if (layout === undefined) layouts.set(site, (layout = layoutFrom(site)))
    const { pieces, policy } = await layout
    const [before = '', between = '', after = ''] = pieces
    const text = `${before}${markup`${title} · ${company.name}`.text}${between}${body.text}${after}`
    return new Response(text, {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        ...headers,
      },
    })
  }
}

async function layoutFrom(site: BuiltPages): Promise<LayoutParts> {
  const request = new Request('http://site/booking', { headers: { accept: 'text/html' } })
  const built = await site.serve(request)
  const text = await new HTMLRewriter()
    .on('title', { element: one => void one.setInnerContent(titleMarker) })
    .on(pageMetadata, { element: one => void one.remove() })
    .on('head', { element: one => void one.append(commonMetadata, { html: true }) })
    .on('main', { element: one => void one.setInnerContent(bodyMarker) })
    .transform(built)
    .text()
  return {
    pieces: text.split(new RegExp(`${titleMarker}|${bodyMarker}`)),
    policy: built.headers.get('content-security-policy') ?? "default-src 'self'",
  }
}

/** The built page's metadata that would be wrong for any other page. */
const pageMetadata = [
  'link[rel=canonical]',
  'link[type="text/markdown"]',
  'meta[name=description]',
  'meta[property^="og:"]',
  'meta[property^="article:"]',
  'meta[name^="twitter:"]',
  'script[type="application/ld+json"]',
].join(', ')

/** A link that contains a key must not be indexed or sent to other sites. With `no-referrer`,
 *  browsers would send the forms with `Origin: null`. */
const commonMetadata =
  '<meta name="robots" content="noindex"><meta name="referrer" content="same-origin">'
