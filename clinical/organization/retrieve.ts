// Needs no query: authentication has already read the organization.

import type { Output } from '#contract/api.ts'
import { read } from '../pipeline/handler.ts'

export const getOrganization = read('getOrganization', ({ principal }) => {
  const { id, name, slug, kind, status } = principal.organization
  const { mode } = principal
  const organization: Output<'getOrganization'> = {
    id,
    name,
    slug,
    kind,
    status,
    mode,
    scopes: [...principal.scopes],
  }
  return { items: [{ id, item: JSON.stringify(organization) }] }
})
