import config from '#content/site.config.ts'
import { say } from '#content/consent.ts'
import { siteLimits } from '#contract/limits.ts'
import type { ListedPage } from './every-page.ts'
import { siteAgent } from '#content/agent.ts'
import { table } from '#contract/api.ts'
import { a2aPath, agentCard } from '#contract/site/a2a.ts'
import { acpSessions } from '#contract/site/acp.ts'
import { machineFiles } from '../render/machine-files.ts'
import { servers } from './tool-servers.ts'
import { address } from './markdown-version.ts'
import { quota } from './agents.ts'

// Discovery files. Each file lists only endpoints that are served.

const host = new URL(config.site).host

const cardType = 'application/mcp-server-card+json'

/** The tool servers by their cards' first URL. */
const toolServers = Object.values(servers).map(({ path, title, description, tools, cards }) => ({
  url: address(path),
  card: address(cards[0]),
  title: `Tool server (MCP) at ${path}`,
  displayName: title,
  description: `${description} Anonymous; ${tools.length} tools.`,
  tools: tools.map(({ name }) => name),
}))

/** The API has no page at its base URL, so this URL tells a caller how to get started. */
const clinicalApi = `${config.api}${table.getOrganization.path}`

/**
 * The API catalog (RFC 9727) as a linkset (RFC 9264), with one context for the catalog and one for
 * each API in it.
 */
export function apiCatalog(): object {
  const openapi = 'application/vnd.oai.openapi+json;version=3.1'
  const described = (spec: string, docs: string) => ({
    'service-desc': [{ href: address(spec), type: openapi }],
    'service-doc': [
      { href: address(docs), type: 'text/html' },
      { href: address(`${docs}.md`), type: 'text/markdown' },
    ],
  })
  return {
    linkset: [
      {
        anchor: address('/.well-known/api-catalog'),
        item: [
          { href: address('/api/articles'), title: 'Site content API: articles' },
          { href: address('/api/comparisons'), title: 'Site content API: comparisons' },
          { href: address('/ask'), title: 'Site content API: ask a question' },
          ...toolServers.map(({ url, title }) => ({ href: url, title })),
          { href: address(a2aPath), title: 'Agent (A2A)' },
          { href: address(acpSessions), title: 'Checkout (ACP)' },
          { href: clinicalApi, title: 'Clinical API' },
        ],
      },
      ...toolServers.map(({ url, card }) => ({
        anchor: url,
        'service-desc': [{ href: card, type: cardType }],
        'service-doc': [
          { href: address('/developers'), type: 'text/html' },
          { href: address('/developers.md'), type: 'text/markdown' },
        ],
      })),
      ...[
        { anchor: address(a2aPath), card: '/.well-known/agent-card.json' },
        { anchor: address(acpSessions), card: '/.well-known/acp.json' },
      ].map(({ anchor, card }) => ({
        anchor,
        ...described('/openapi.json', '/developers'),
        'service-meta': [{ href: address(card), type: 'application/json' }],
      })),
      {
        anchor: address('/api/articles'),
        ...described('/openapi.json', '/developers'),
        'service-meta': [{ href: address('/auth.md'), type: 'text/markdown' }],
        status: [
          { href: address('/api/health'), type: 'application/health+json' },
          { href: address('/api/status'), type: 'application/json' },
        ],
      },
      { anchor: clinicalApi, ...described('/openapi/v1.json', '/docs') },
      {
        anchor: `${config.api}/preview/requests`,
        ...described('/openapi/preview.json', '/docs/requests'),
      },
    ],
  }
}

export type Skill = { name: string; description: string; text: string }

const skillPath = (name: string) => `/.well-known/agent-skills/${name}/SKILL.md`

/** A skill as served, with its front matter and its name as the h1. */
export function skillFile({ name, description, text }: Skill): string {
  const title = name.replaceAll('-', ' ').replace(/^./, letter => letter.toUpperCase())
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${title}\n\n${text}\n`
}

/** All skills in one file, for an assistant given a single URL. */
export function wholeSkill(skills: Skill[]): string {
  const name = config.name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
  const parts = skills.map(skill => `## ${skill.description}\n\n${skill.text}`)
  const description = `Work with ${config.name}: ask about its API, run a consult in the sandbox, and book a call.`
  return skillFile({ name, description, text: parts.join('\n\n') })
}

/** The index in Agent Skills Discovery 0.1's format, for programs that look there. */
export const formerSkillIndex = (skills: Skill[]): object => ({
  skills: skills.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] })),
})

/** Agent Skills Discovery 0.2.0. The digest covers the served bytes. */
export function skillIndex(skills: Skill[]): object {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map(skill => ({
      name: skill.name,
      type: 'skill-md',
      description: skill.description,
      url: skillPath(skill.name),
      digest: `sha256:${new Bun.CryptoHasher('sha256').update(skillFile(skill)).digest('hex')}`,
    })),
  }
}

const agent = agentCard(siteAgent)
const agentType = 'application/a2a-agent-card+json'
const skillType = 'text/markdown; profile="urn:air:agent-skills"'

const queries: Record<string, [string, string]> = {
  'ask-the-site': ['How do webhooks work in this API?', 'What does a telehealth API cost?'],
  'simulate-a-consult': ['Show me a consult in the sandbox', 'How do I file a test case?'],
  'book-a-discovery-call': ['Book a free discovery call', 'How do I talk to sales?'],
}

const dated = (updated: string) => ({
  version: '1.0.0',
  updatedAt: `${updated}T00:00:00Z`,
  trustManifest: { identity: config.site, identityType: 'https' },
})

/** `specVersion` is AI Catalog's or ARD's; the fields are the same. */
export function aiCatalog(skills: Skill[], updated: string, specVersion: '0.9' | '1.0'): object {
  return {
    specVersion,
    host: {
      displayName: config.name,
      identifier: config.site,
      documentationUrl: address('/developers'),
    },
    entries: [
      ...toolServers.map(({ url, card, displayName, description, tools }) => ({
        identifier: `urn:air:${host}:mcp:${url.includes('/docs/') ? 'docs' : 'site'}`,
        displayName: `${displayName} (tools)`,
        type: cardType,
        mediaType: cardType,
        url: card,
        description,
        capabilities: tools,
        representativeQueries: [
          `What does ${config.name} cost?`,
          `Compare ways of running telehealth consults`,
        ],
        ...dated(updated),
      })),
      {
        identifier: `urn:air:${host}:agent:site`,
        displayName: agent.name,
        type: agentType,
        mediaType: agentType,
        url: address('/.well-known/agent-card.json'),
        description: agent.description,
        capabilities: agent.skills.map(({ id }) => id),
        representativeQueries: ['Book a discovery call for me', 'I would like a demo'],
        ...dated(updated),
      },
      ...skills.map(({ name, description }) => ({
        identifier: `urn:air:${host}:skills:${name}`,
        displayName: `Skill: ${name.replaceAll('-', ' ')}`,
        type: skillType,
        mediaType: skillType,
        url: address(skillPath(name)),
        description,
        representativeQueries: queries[name] ?? [
          description,
          `How do I ${name.replaceAll('-', ' ')}?`,
        ],
        ...dated(updated),
      })),
    ],
  }
}

/** RFC 9116. The expiration date is configured, so a person confirms it each time. */
export function securityTxt(): string {
  return [
    `Contact: mailto:${config.email.security}`,
    `Expires: ${config.securityTxtExpires}T00:00:00.000Z`,
    'Preferred-Languages: en',
    `Canonical: ${address('/.well-known/security.txt')}`,
    `Policy: ${address('/security')}`,
    '',
  ].join('\n')
}

/** What an agent may do on the site, and how each rule is enforced. */
export function agentsMd(): string {
  const files = machineFiles.map(({ path, what }) => `- [${path}](${address(path)}): ${what}`)
  return `# Rules for agents

The rules, and how each one is enforced.

## You may

- Read any page, as HTML or Markdown, and quote it with its URL. Enforced by [robots.txt](${address('/robots.txt')}).
- Ask \`${address('/ask')}?query=…\`; the same question always gets the same response.
- Call the tools (MCP) at \`${address(servers.product.path)}\`, or the read-only ones at \`${address(servers.docs.path)}\`, without a key.
- Try the clinical API in your user's sandbox, hosted or on their machine: [quickstart](${address('/docs/quickstart.md')}). A teammate can let you act for them there: [OAuth](${address('/docs/oauth.md')}).

## Ask your user first

You may book the free discovery call for a person: with the tool \`book_discovery_call\` at ${servers.product.path}, by checkout (ACP) at ${acpSessions}, or with a message to the agent (A2A) at ${a2aPath}. Or use the tool \`request_callback\` to have us contact them. These are all real bookings, and each person gets one call no matter how it's requested. First, ask in these words:

> ${say('ask')}

Without a clear yes, stop. ${say('stated')} The tools also require \`user_consent: true\`; at the checkout and the agent, the person's details are enough, and every response repeats that confirmation. Enforced by: an explicit \`false\` is always refused, and the person gets an email with a link to undo it. One IP address can book at most ${siteLimits.unconfirmedPeoplePerHour} unconfirmed people an hour, across all protocols. For a test booking, use an example.com address with the checkout or the agent: nothing is sent or stored. ${say('not_medical')} ${say('no_health')}

## At the checkout

Sessions are stateless. Retrieving a session returns the same cart every time, updates are echoed but not stored, and neither are cancellations: you can still complete a canceled session. Only the complete request takes effect, and it carries all the data. A session can be completed for one person; repeating the request returns the same response.

An \`Idempotency-Key\` replays the first response, at the checkout and the agent. A test booking behaves the same: it's kept in memory for an hour at most and never written to a database.

## You must not

- Train a model on these pages. Enforced by the \`ai-train=no\` signal in robots.txt.
- Give medical advice based on them, or tell anyone to start, stop or change a medication.
- Send a real person's health information anywhere on this site, or into test mode. Enforced by you: free text, such as booking notes, is stored as is.
- Make up a person, a name or an email address. Book a call only for the person who asked for it.
- Send more than ${quota} from one IP address. Enforced by: the next one gets 429 with \`Retry-After\`.

## Where things are

${files.join('\n')}

If \`/.well-known/jwks.json\` exists, the agent card has a signature in \`signatures\`, and each catalog has a detached JWS at its URL plus \`.jws\`.

## When something is wrong

Errors say what to do next: in a problem's \`hint\` (application/problem+json), in \`messages\` at the checkout, and in \`error.data\` for JSON-RPC. A missing page returns 404 with links to pages that exist. Report anything else: ${config.email.security}.
`
}

export type Change = { page: string; old_hash: string | null; new_hash: string; time: string }

export const markdownHash = (text: string) =>
  `sha256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`

/**
 * Every page with its Markdown version's hash. A reader that stores the hashes downloads only pages
 * that changed. The time is the page's own date, so the file changes only with the content.
 */
export const changes = (pages: ListedPage[]): { changes: Change[] } => ({
  changes: pages.map(({ path, markdown, updated }) => ({
    page: address(path),
    old_hash: null,
    new_hash: markdownHash(markdown),
    time: `${updated}T00:00:00Z`,
  })),
})

/** Adds each page's hash in the previous build. */
export function changesSince(before: readonly Change[], now: readonly Change[]): Change[] {
  const known = new Map(before.map(change => [change.page, change]))
  return now.map(change => {
    const { new_hash: earlier = null, old_hash: earliest = null } = known.get(change.page) ?? {}
    return { ...change, old_hash: earlier === change.new_hash ? earliest : earlier }
  })
}
