// The portal's pages: account pages, personal pages, and signing in.
import { portalRows } from '#contract/portal/table.ts'
import { handedRows } from '#auth/accounts/handed-sign-in.ts'
import { openTable } from '#http/pages/table.ts'

export const rows = {
  ...portalRows,
  ...handedRows,
  integrations: { method: 'GET', path: '/', title: 'Your accounts', who: 'person' },
  newIntegration: { method: 'GET', path: '/new', title: 'New account', who: 'person' },
  createIntegration: { method: 'POST', path: '/new', title: 'Create account', who: 'person' },
} as const

export type PageId = keyof typeof rows

export const table = openTable<PageId>(rows)
