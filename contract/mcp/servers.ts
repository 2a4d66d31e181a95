// The content site's two tool servers: paths, descriptions and tools. The published server cards
// and the running servers are both built from these definitions.

import { siteVersion } from '../versions.ts'
import { bookingTools } from './booking-tools.ts'
import { contentTools } from './content-tools.ts'
import { listed, type ToolDefinition } from './tool.ts'

/** Newest first. In all but the newest, clients start with `initialize`. */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const

export type ServerDefinition = {
  readonly path: '/mcp' | '/docs/mcp'
  readonly name: string
  readonly title: string
  readonly version: string
  /** At most 100 characters, the server card's limit. */
  readonly description: string
  /** Instructions that a client adds to its model's context. */
  readonly instructions: string
  readonly tools: readonly ToolDefinition[]
  /** The paths where the server's card is published. */
  readonly cards: readonly [string, ...string[]]
}

type Sentence = 'ask' | 'ask_callback' | 'not_medical' | 'no_health'

export type Company = {
  readonly name: string
  /** The site's origin. */
  readonly site: string
  /** A sentence from content/consent.json with its values filled in. */
  say(sentence: Sentence): string
}

/** The name in server registries: the site's host reversed, and the server. */
export const serverName = (site: string, server: string): string =>
  `${new URL(site).hostname.split('.').toReversed().join('.')}/${server}`

export function toolServers({ name, site, say }: Company) {
  const reading = `Published content of ${name}: overview, prices, comparisons and articles. Start with get_overview. Cite the url. It is general information, not medical advice.`
  const product = {
    path: '/mcp',
    name: serverName(site, 'site'),
    title: name,
    version: siteVersion,
    description: 'Published content, prices, open times, and booking a free discovery call.',
    instructions: `${reading} Before book_discovery_call, ask your user and wait for a clear yes: “${say('ask')}” Before request_callback, ask: “${say('ask_callback')}” Pass only what the user gave. ${say('no_health')} For a test booking, use the checkout at ${site}/api/acp/checkout_sessions with an example.com email address.`,
    tools: [...Object.values(contentTools), ...Object.values(bookingTools(say))],
    cards: ['/.well-known/mcp.json', '/.well-known/mcp/server-card.json', '/mcp/server-card'],
  } satisfies ServerDefinition
  const docs = {
    path: '/docs/mcp',
    name: serverName(site, 'docs'),
    title: `${name}: documentation`,
    version: siteVersion,
    description: 'Published content, read only: overview, prices, comparisons and articles.',
    instructions: reading,
    tools: Object.values(contentTools),
    cards: ['/.well-known/mcp-docs.json', '/docs/mcp/server-card'],
  } satisfies ServerDefinition
  return { product, docs }
}

/** The site's skills are resources on every tool server (SEP-2640). */
export const skillsExtension = { 'io.modelcontextprotocol/skills': {} }
/** The skill that needs the booking tools. */
export const bookingSkill = 'book-a-discovery-call'

/** The texts of a running server. */
export type ServerText = Pick<ServerDefinition, 'name' | 'title' | 'version' | 'instructions'>

/** The value of `serverInfo`. */
export const infoOf = ({ name, title, version }: ServerText) => ({ name, title, version })

type Described = ServerText & { readonly description: string }

/** The fields that the server card schema (SEP-2127) defines. */
export const plainCardOf = (server: Described, site: string, url: string, headers?: object[]) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...infoOf(server),
  description: server.description,
  websiteUrl: site,
  icons: [{ src: `${site}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
  remotes: [
    {
      type: 'streamable-http',
      url,
      ...(headers && { headers }),
      supportedProtocolVersions: protocolVersions,
    },
  ],
})

/**
 * The server card, with fields from earlier drafts for older clients. The card's tools are the
 * complete `tools/list` result.
 */
export function cardOf(server: ServerDefinition, site: string): object {
  const url = `${site}${server.path}`
  return {
    ...plainCardOf(server, site, url),
    serverInfo: infoOf(server),
    endpoint: url,
    url,
    serverUrl: url,
    transport: { type: 'streamable-http', endpoint: url },
    capabilities: { tools: {}, resources: {}, extensions: skillsExtension },
    authentication: { required: false, schemes: [] },
    instructions: server.instructions,
    tools: server.tools.map(listed),
    documentationUrl: `${site}/developers`,
  }
}
