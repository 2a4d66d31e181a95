import type { MemberRole } from '#contract/scopes.ts'

export const roleNames: Readonly<Record<MemberRole, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  billing: 'Billing',
  viewer: 'Viewer',
}
