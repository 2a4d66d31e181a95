// The clinical tool server in the API catalog (RFC 9727) and the AI Catalog. The server's URL is a
// setting that isn't in a build, so the gateway adds the entries when it loads the build.
import company from '#content/site.config.ts'
import { toolGroups } from '#contract/tools/listing.ts'
import { clinicalCard, serverCardType, serverCardUrl } from '#contract/tools/server.ts'
import { resourceMetadataPaths } from '#auth/oauth/endpoints.ts'
import type { FinishFiles } from '../static/files.ts'
import { textOf, withText } from '../static/local-links.ts'

/** The function that adds the entry to each catalog, by the catalog's path. */
const entries: Readonly<Record<string, (catalog: string, url: string, site: string) => string>> = {
  '/.well-known/api-catalog': withEntry,
  '/.well-known/ai-catalog.json': withCard,
  '/.well-known/ard.json': withCard,
}

type Context = { readonly anchor: string; readonly item?: readonly object[] }

/** `url` is the tool server's URL; undefined if the tool server isn't public. `site` is the origin
 *  in the files' links. */
export const addToolServer =
  (url: string | undefined, site: string): FinishFiles =>
  files =>
    files.map(file => {
      const add = Object.hasOwn(entries, file.path) ? entries[file.path] : undefined
      return url === undefined || add === undefined
        ? file
        : withText(file, add(textOf(file.bytes), url, site))
    })

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
    // The metadata that names the tool server's authorization server (RFC 9728).
    'service-meta': [{ href: new URL(metadata, url).href, type: 'application/json' }],
  }
  return `${JSON.stringify({ linkset: [...contexts, entry] }, null, 2)}\n`
}

type AiEntry = Readonly<Record<string, unknown>> & { readonly identifier: string }

/** Listed next to the site's tool servers, with the same date. */
function withCard(text: string, url: string, site: string): string {
  const catalog = JSON.parse(text) as { entries: readonly AiEntry[] }
  const beside = catalog.entries.findLastIndex(({ type }) => type === serverCardType)
  const { identifier = '', ...shared } = catalog.entries[beside] ?? {}
  const { title, description } = clinicalCard(company, url, site)
  const entry = {
    ...shared,
    identifier: identifier.replace(/:[^:]*$/, ':clinical'),
    displayName: `${title} (tools)`,
    url: serverCardUrl(url),
    description,
    capabilities: toolGroups,
    representativeQueries: [
      'File a consult for a patient',
      'Which cases are waiting for an answer?',
    ],
  }
  const next = catalog.entries.toSpliced(beside + 1, 0, entry)
  return `${JSON.stringify({ ...catalog, entries: next }, null, 2)}\n`
}
