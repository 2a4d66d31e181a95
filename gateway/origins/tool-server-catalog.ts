// The clinical tool server in the catalog of APIs (RFC 9727). A build does not know its address,
// which is a setting, so the entry is added when the gateway loads the build.
import { resourceMetadataPaths } from '#auth/oauth/endpoints.ts'
import type { FinishFiles } from '../static/files.ts'
import { textOf, withText } from '../static/local-links.ts'

const catalogPath = '/.well-known/api-catalog'

type Context = { readonly anchor: string; readonly item?: readonly object[] }

/** `url`: of the tool server; undefined where clients cannot know one. `site`: the origin to which
 *  the files link. */
export const addToolServer =
  (url: string | undefined, site: string): FinishFiles =>
  files =>
    files.map(file =>
      url === undefined || file.path !== catalogPath
        ? file
        : withText(file, withEntry(textOf(file.bytes), url, site)),
    )

function withEntry(catalog: string, url: string, site: string): string {
  const { linkset }: { linkset: readonly Context[] } = JSON.parse(catalog)
  const metadata = resourceMetadataPaths(url).at(-1) ?? ''
  const guide = `${site}/docs/tool-server`
  const contexts = linkset.map(context =>
    context.item === undefined
      ? context
      : { ...context, item: [...context.item, { href: url, title: 'Clinical tool server (MCP)' }] },
  )
  const entry = {
    anchor: url,
    'service-doc': [
      { href: guide, type: 'text/html' },
      { href: `${guide}.md`, type: 'text/markdown' },
    ],
    // Which authorization server its tokens come from (RFC 9728).
    'service-meta': [{ href: new URL(metadata, url).href, type: 'application/json' }],
  }
  return `${JSON.stringify({ linkset: [...contexts, entry] }, null, 2)}\n`
}
