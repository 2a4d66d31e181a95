// A handler's answer, and the response built from it.
import type { VNode } from 'preact'
import type { PageAssets } from '../html/assets.ts'
import type { HttpRequest } from '../http-request.ts'
import type { Theme } from '../origins/page-cookies.ts'
import type { Toast } from './toast.tsx'
import { Document, type FormTargets, htmlOf, pageHeaders, type Site } from '../html/document.tsx'

export type Page = {
  /** Default: the row's title. */
  readonly title?: string
  readonly content: VNode
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** Other origins' URLs where the response to a form may redirect. */
  readonly formTargets?: FormTargets
  /** Whether the page runs its origin's scripts. Default: the module's setting. */
  readonly scripts?: boolean
  /** Origins that the page may frame, with access to camera and microphone. */
  readonly frames?: readonly string[]
  /** The part of the bar to show after the request renewed or ended a session. Default: all. */
  readonly bar?: 'name' | 'empty'
}

/** What a page says when it fails. */
export type Failure = {
  readonly status: number
  readonly title: string
  /** What happened, and what to do next. */
  readonly text: string
  readonly next?: { readonly href: string; readonly label: string } | undefined
  /** A code that the operator can find in the log. */
  readonly reference?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type FileToKeep = {
  /** Contains only letters, digits, dashes and dots. */
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Blob
}

export type PageAnswer =
  | Page
  | { readonly failure: Failure }
  | {
      readonly redirect: string
      readonly cookies?: readonly string[]
      /** Shown on the next page. */
      readonly toast?: Toast
    }
  | { readonly file: FileToKeep }
  /** WebP. */
  | { readonly image: Blob | ReadableStream<Uint8Array> }

/** Settings shared by an origin's documents. */
export type Documents = {
  readonly site: Site
  readonly assets: PageAssets
  /** Origins to which forms in any of the documents may redirect. */
  readonly formTargets: readonly string[]
  readonly scripts: boolean
}

/** A page in its frame. */
export type WholePage = Omit<Page, 'content' | 'bar'> & {
  readonly title: string
  readonly body: VNode
  /** Default: the system's theme. */
  readonly theme?: Theme | undefined
}

/** The page's text and headers, for servers that don't use Response. */
export function documentOf(
  { site, assets, ...shared }: Documents,
  {
    title,
    body,
    theme,
    formTargets = [],
    scripts = shared.scripts,
    frames = [],
    headers,
  }: WholePage,
) {
  const loaded = scripts ? assets : { ...assets, scriptPaths: [] }
  const html = htmlOf(
    <Document title={title} site={site} assets={loaded} theme={theme}>
      {body}
    </Document>,
  )
  const targets = formTargets === 'anywhere' ? formTargets : [...shared.formTargets, ...formTargets]
  const policy = { scripts, frames, formTargets: targets }
  return { body: html, headers: { ...pageHeaders(policy), ...headers } }
}

export function documentResponse(documents: Documents, page: WholePage): Response {
  const { body, headers } = documentOf(documents, page)
  return withCookies(new Response(body, { status: page.status ?? 200, headers }), page.cookies)
}

const untold = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** 303, so the browser requests the page instead of sending the form again. */
export const redirectTo = (location: string, cookies?: readonly string[]): Response =>
  withCookies(new Response(null, { status: 303, headers: { location, ...untold } }), cookies)

/** Like a redirect. But if a person acted on part of a page, for example with a filter, htmx opens
 *  the other page instead of replacing that part. */
export const leadTo = ({ headers }: HttpRequest, location: string): Response =>
  headers.get('hx-request') === null || headers.get('x-refresh') !== null
    ? redirectTo(location)
    : new Response(null, { status: 204, headers: { 'hx-redirect': location, ...untold } })

export const fileResponse = ({ name, type, content }: FileToKeep): Response =>
  new Response(content, {
    headers: {
      ...untold,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    },
  })

/** Pages of the same origin may embed the image; opened alone, it has no permissions. */
export const imageResponse = (image: BodyInit): Response =>
  new Response(image, {
    headers: {
      ...untold,
      'content-type': 'image/webp',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })

function withCookies(response: Response, cookies: readonly string[] = []): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
