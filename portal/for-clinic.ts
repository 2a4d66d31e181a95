// Calls about data that belongs to one clinic, such as events and requests. If several clinics
// granted access, the member chooses one.
import type { SessionOperationId } from '#contract/portal/reads.ts'
import type { ApiInput, ApiResult, MemberCall } from './context.ts'
import { organizationsOf } from './for-integration.ts'
import type { PageId } from './table.ts'

/** Pages about one clinic's data. */
const clinicPages: ReadonlySet<PageId> = new Set([
  'home',
  'requests',
  'request',
  'metrics',
  'metricCsv',
  'apiChanges',
  'events',
  'event',
  'usage',
  'invoice',
])

/** The clinic in the URL. */
export const chosenClinic = ({ query }: Pick<MemberCall, 'query'>): string | undefined =>
  query.get('organization') ?? undefined

/** Keeps the clinic in the URL in links to other pages about one clinic, in the same mode. */
export const keepingClinic =
  (call: Pick<MemberCall, 'names' | 'query' | 'pathOf'>): MemberCall['pathOf'] =>
  (id, names = {}, query = {}) => {
    const { mode } = call.names
    const isKept = clinicPages.has(id) && (names['mode'] ?? mode) === mode
    return call.pathOf(id, names, isKept ? { organization: chosenClinic(call), ...query } : query)
  }

/** Makes a call for the clinic in the URL or for the first clinic. Returns the clinics to choose
 *  from. */
export async function callForClinic<K extends SessionOperationId>(
  call: Pick<MemberCall, 'api' | 'query'>,
  operation: K,
  given: ApiInput,
) {
  // If no clinic was chosen, the error lists the clinics.
  const found = await call.api(operation, given)
  if (found.problem?.code !== 'organization_required') return { found, organizations: [] }
  const organizations = organizationsOf(found.problem)
  const chosen = organizations.find(({ id }) => id === chosenClinic(call)) ?? organizations[0]
  return {
    found: await call.api(operation, { ...given, organization: chosen?.id ?? null }),
    organizations,
  }
}

/** Makes a call for the clinic in the URL, or the one that has the item. */
export async function findInClinics<K extends SessionOperationId>(
  call: Pick<MemberCall, 'api' | 'query'>,
  operation: K,
  given: ApiInput,
): Promise<{ found: ApiResult<K>; organization: string | null }> {
  const organization = call.query.get('organization')
  const first = await call.api(operation, { ...given, organization })
  if (first.problem?.code !== 'organization_required') return { found: first, organization }
  let last: ApiResult<K> = first
  for (const { id } of organizationsOf(first.problem)) {
    last = await call.api(operation, { ...given, organization: id })
    if (last.problem === null) return { found: last, organization: id }
  }
  return { found: last, organization: null }
}
