// The table of the portal's pages: those of an integration, of a person, and of signing in.
import { portalRows } from '#contract/portal/table.ts'
import { handedRows } from '#auth/accounts/handed-sign-in.ts'
import { openTable } from '#http/pages/table.ts'

export const rows = {
  ...portalRows,
  ...handedRows,
  integrations: { method: 'GET', path: '/', title: 'Your integrations', who: 'person' },
  newIntegration: { method: 'GET', path: '/new', title: 'New integration', who: 'person' },
  createIntegration: { method: 'POST', path: '/new', title: 'Make an integration', who: 'person' },
} as const

export type PageId = keyof typeof rows

export const table = openTable<PageId>(rows)
