// Search: the account's pages, IDs, endpoints, keys and clients, in the page's mode.
import { isId, prefixes } from '#contract/ids.ts'
import { listIntegrationClients } from '#auth/integration-clients.ts'
import { listIntegrationKeys } from '#auth/integration-keys.ts'
import { jumpPage, type JumpGroup, type JumpHit, matching, queryOf } from '#http/pages/jump.tsx'
import type { PageRow, Query } from '#http/pages/table.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { callForIntegration, organizationsOf } from '../../for-integration.ts'
import { searchLabel } from '../../search-label.ts'
import { type PageId, rows, table } from '../../table.ts'

export const showSearch: PortalHandler = async (portal, call) => {
  const query = queryOf(call)
  const found = [
    { title: 'Go to', hits: await idHits(call, query) },
    { title: 'Pages', hits: pageHits(call, query) },
    ...(query === '' ? [] : await ownGroups(portal, call, query)),
  ]
  const count = found.reduce((sum, { hits }) => sum + hits.length, 0)
  const isWords = query !== '' && !looksLikeId(query)
  return jumpPage(call, {
    path: call.pathOf('search'),
    label: searchLabel,
    // A single result opens immediately.
    groups: isWords && count !== 1 ? [...found, documentation(portal, query)] : found,
    hint: 'Enter a full ID, such as req_01m8…, or part of a page, endpoint or key name.',
  })
}

const looksLikeId = (query: string) => /^[a-z]+_[0-9a-z]+$/.test(query)

/** The pages for an ID. An unknown ID leads to a “not found” page. */
const placesOf = (id: string): readonly (readonly [label: string, PageId, Names?, Query?])[] => {
  const is = (noun: keyof typeof prefixes) => isId(prefixes[noun], id)
  const touching = ['Requests', 'requests', {}, { target: id }] as const
  const about = ['Events', 'events', {}, { resource: id }] as const
  if (is('request')) return [['Request', 'request', { id }]]
  if (is('event')) return [['Event', 'event', { id }]]
  if (is('delivery')) return [['Delivery', 'delivery', { id }]]
  if (is('webhook_endpoint')) return [['Endpoint', 'webhook', { id }]]
  if (is('key')) return [['Key', 'key', { id }]]
  if (is('client')) return [['OAuth client', 'client', { id }]]
  if (is('invoice')) return [['Invoice', 'invoice', { id }]]
  if (is('grant')) return [['Clinic', 'grant', { id }]]
  if (is('case')) return [['Case', 'sandboxCase', { id }], touching, about]
  if (is('patient')) return [touching, about]
  return is('order') || is('visit') || is('prescription') || is('consent') ? [touching, about] : []
}

type Names = Readonly<Record<string, string>>

async function idHits(call: MemberCall, id: string): Promise<readonly JumpHit[]> {
  const places = placesOf(id).filter(([, page]) => call.mayOpen(page))
  const hasLists = places.some(([, , , query]) => query !== undefined)
  const organization = hasLists ? await clinicWith(call, id) : undefined
  return places.map(([label, page, names, query]) => ({
    href: call.pathOf(page, names, query && { ...query, organization }),
    label,
    detail: id,
  }))
}

/** The clinic with events about a resource, if several clinics granted access. */
async function clinicWith(call: MemberCall, resource: string): Promise<string | undefined> {
  const query = { resource, limit: '1' }
  const { problem } = await call.api('listNewestEvents', { query })
  if (problem?.code !== 'organization_required') return undefined
  for (const { id } of organizationsOf(problem)) {
    const found = await call.api('listNewestEvents', { query, organization: id })
    if (found.problem === null && found.value.data.length > 0) return id
  }
  return undefined
}

const hasId = /\{(?!integration|mode)/

/** Pages without an ID in their path; files and the search itself are left out. */
const pages = table.ids.filter(
  id => rows[id].method === 'GET' && !('who' in rows[id]) && !hasId.test(rows[id].path),
)

const groupOf = (id: PageId) => (rows[id] as PageRow).group ?? ''

const pageHits = (call: MemberCall, query: string): readonly JumpHit[] =>
  matching(
    pages
      .filter(id => id !== 'search' && id !== 'configuration' && call.mayOpen(id))
      .filter(id => query !== '' || 'group' in rows[id])
      .map(id => ({
        href: call.pathOf(id),
        label: rows[id].title,
        words: groupOf(id),
      })),
    query,
  )

/** Finds the member's own endpoints, keys and clients by name. */
async function ownGroups(
  { pool }: PortalContext,
  call: MemberCall,
  query: string,
): Promise<readonly JumpGroup[]> {
  const { member, mode } = call
  const [keys, clients, endpoints] = [
    call.mayOpen('keys') ? await listIntegrationKeys(pool, member.integration, mode) : [],
    call.mayOpen('clients') ? await listIntegrationClients(pool, member.integration, mode) : [],
    call.mayOpen('webhooks') ? await endpointsOf(call) : [],
  ]
  const matches = (title: string, hits: readonly JumpHit[]) => ({
    title,
    hits: matching(hits, query),
  })
  return [
    matches(
      'Endpoints',
      endpoints.map(({ id, url, description }) => ({
        href: call.pathOf('webhook', { id }),
        label: url,
        words: description ?? '',
      })),
    ),
    matches(
      'Keys',
      keys.map(({ id, name, status, last4 }) => ({
        href: call.pathOf('key', { id }),
        label: name,
        detail: status === 'active' ? `…${last4}` : status,
        words: last4,
      })),
    ),
    matches(
      'OAuth clients',
      clients.map(({ id, name }) => ({ href: call.pathOf('client', { id }), label: name })),
    ),
  ]
}

async function endpointsOf(call: MemberCall) {
  const all = { query: { limit: '100' } }
  const [endpoints, destinations] = await Promise.all([
    callForIntegration(call, 'listWebhookEndpoints', all),
    callForIntegration(call, 'listDestinations', all),
  ])
  return [
    ...(endpoints.problem === null ? endpoints.value.data : []),
    ...(destinations.problem === null ? destinations.value.data : []),
  ]
}

const documentation = ({ site }: PortalContext, query: string): JumpGroup => ({
  title: 'Documentation',
  hits: [
    {
      href: `${site.url}/search?${new URLSearchParams({ q: query })}`,
      label: `Search the documentation for “${query}”`,
    },
  ],
})
