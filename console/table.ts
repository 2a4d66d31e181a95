// The console's page table: clinic pages, personal pages, and signing in.
import { consolePages } from '#contract/console/table.ts'
import { handedRows } from '#auth/accounts/handed-sign-in.ts'
import { openTable } from '#http/pages/table.ts'

export const rows = {
  ...consolePages,
  ...handedRows,
  clinics: { method: 'GET', path: '/', title: 'Your clinics', who: 'person' },
  clinic: { method: 'GET', path: '/{organization}', title: 'Clinic', who: 'person' },
} as const

export type PageId = keyof typeof rows

export const table = openTable<PageId>(rows)
