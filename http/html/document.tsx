// The HTML document around a page with a session, and its response headers.
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { PageAssets } from './assets.ts'

export type Site = {
  /** The company's name, its site's URL, and the address that people write to. */
  readonly name: string
  readonly url: string
  readonly email: string
  /** The notice that the platform isn't for patients, at the top of every page. */
  readonly notice?: string
}

type DocumentProps = {
  readonly title: string
  readonly site: Site
  readonly assets: Pick<PageAssets, 'stylePath' | 'scriptPaths'>
  /** Default: the system's theme. */
  readonly theme?: 'light' | 'dark' | undefined
  readonly children: ComponentChildren
}

export const Document = ({ title, site, assets, theme, children }: DocumentProps) => (
  <html lang="en" data-theme={theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} · ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#fbfaf6" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#12150f" media="(prefers-color-scheme: dark)" />
      {assets.scriptPaths.length > 0 && (
        <meta
          name="htmx-config"
          content='{"includeIndicatorCSS":false,"history":true,"morphIgnore":["data-htmx-powered","open"]}'
        />
      )}
      <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href={assets.stylePath} />
      {assets.scriptPaths.map(path => (
        <script key={path} src={path} defer />
      ))}
    </head>
    <body>
      {site.notice !== undefined && (
        <aside class="site-notice" aria-label="Notice">
          {site.notice}
        </aside>
      )}
      {children}
    </body>
  </html>
)

export const htmlOf = (page: VNode): string => `<!doctype html>\n${renderToString(page)}\n`

export const Wordmark = ({ site, children }: { site: Site; children?: ComponentChildren }) => (
  <a class="wordmark" href={`${site.url}/`}>
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path
        d="M18.9 15.2A8 8 0 1 1 18.9 8.8"
        fill="none"
        stroke="currentColor"
        stroke-width="2.6"
      />
      <circle cx="19.6" cy="12" r="3" fill="currentColor" />
    </svg>
    {site.name}
    {children}
  </a>
)

/** `anywhere` is for a URL that redirects to a destination we can't know. */
export type FormTargets = readonly string[] | 'anywhere'

type Policy = {
  /** Other origins' URLs where the response to a form may redirect. */
  readonly formTargets?: FormTargets
  /** Whether the page runs its origin's scripts. */
  readonly scripts?: boolean
  /** Origins that the page may frame, with access to camera and microphone. */
  readonly frames?: readonly string[]
}

/**
 * Browsers also apply `form-action` to every redirect after a form, so the policy names the form's
 * destination.
 */
const policyOf = ({ formTargets = [], scripts = false, frames = [] }: Policy) =>
  [
    "default-src 'none'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    ...(frames.length === 0 ? [] : [`frame-src ${frames.join(' ')}`]),
    ...(formTargets === 'anywhere'
      ? []
      : [["form-action 'self'", ...formTargets.map(formSource)].join(' ')]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** An origin, or only the scheme if the host is an IPv6 address, which a policy can't name. */
function formSource(address: string): string {
  const { origin, protocol, hostname } = new URL(address)
  return hostname.startsWith('[') ? protocol : origin
}

export const pageHeaders = (policy: Policy = {}): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyOf(policy),
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': permissionsOf(policy),
})

function permissionsOf({ frames = [] }: Policy): string {
  // A page can delegate only permissions that it has itself.
  const allowed = frames.length === 0 ? '()' : `(self ${frames.map(one => `"${one}"`).join(' ')})`
  return `camera=${allowed}, geolocation=(), microphone=${allowed}`
}
