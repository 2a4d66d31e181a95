// The status page's parts in order, and the health checks for each.

const checksByPart = {
  api: { checks: ['database:responseTime', 'database:writes'], title: 'Clinical API and booking' },
  webhooks: { checks: ['webhooks:lag'], title: 'Webhook deliveries' },
  pages: { checks: ['site:articles'], title: 'Pages and files' },
  search: { checks: ['ask:results'], title: 'Search' },
  email: { checks: ['mail:age'], title: 'Email' },
  storage: { checks: ['disk:available'], title: 'Storage' },
} as const

export type PartName = keyof typeof checksByPart

export const partNames = Object.keys(checksByPart) as PartName[]
export const titleOf = (part: PartName): string => checksByPart[part].title

/** The part that a check belongs to, if the page shows it. */
export const partOf = (check: string): PartName | undefined =>
  partNames.find(part => (checksByPart[part].checks as readonly string[]).includes(check))
