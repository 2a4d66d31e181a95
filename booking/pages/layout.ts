// The pages of booking wear the clothes of the build that is served: the built /booking page, with
// another title and another middle. So they look like the site, whatever it looks like today.
import company from '#content/site.config.ts'
import type { Site } from '#gateway/static/static.ts'
import { markup, type Markup } from './markup.ts'

export type Page = {
  readonly title: string
  readonly body: Markup
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type Layout = (page: Page) => Promise<Response>

type LayoutParts = { readonly pieces: readonly string[]; readonly policy: string }

const [titleMark, bodyMark] = ['\u0001title\u0001', '\u0001body\u0001']

export function createLayout(current: () => Site): Layout {
  const cut = new WeakMap<Site, Promise<LayoutParts>>()
  return async ({ title, body, status = 200, headers = {} }) => {
    const site = current()
    let layout = cut.get(site)
    if (layout === undefined) cut.set(site, (layout = cutFrom(site)))
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

async function cutFrom(site: Site): Promise<LayoutParts> {
  const asked = new Request('http://site/booking', { headers: { accept: 'text/html' } })
  const built = await site.serve(asked)
  const text = await new HTMLRewriter()
    .on('title', { element: one => void one.setInnerContent(titleMark) })
    .on(ofThatPage, { element: one => void one.remove() })
    .on('head', { element: one => void one.append(ofEveryPage, { html: true }) })
    .on('main', { element: one => void one.setInnerContent(bodyMark) })
    .transform(built)
    .text()
  return {
    pieces: text.split(new RegExp(`${titleMark}|${bodyMark}`)),
    policy: built.headers.get('content-security-policy') ?? "default-src 'self'",
  }
}

/** What the built page says of itself and of no other. */
const ofThatPage = [
  'link[rel=canonical]',
  'link[type="text/markdown"]',
  'meta[name=description]',
  'meta[property^="og:"]',
  'meta[property^="article:"]',
  'meta[name^="twitter:"]',
  'script[type="application/ld+json"]',
].join(', ')

/** An address with a key in it is nobody else's to know. */
const ofEveryPage =
  '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">'
