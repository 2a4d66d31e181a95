// The parts that the status page shows, in its order, and the health check that measures each.

const checksByPart = {
  api: { check: 'database:responseTime', title: 'Clinical API and booking' },
  webhooks: { check: 'webhooks:lag', title: 'Webhook deliveries' },
  pages: { check: 'site:articles', title: 'Pages and files' },
  search: { check: 'ask:results', title: 'Search' },
  email: { check: 'mail:age', title: 'Email' },
  storage: { check: 'disk:available', title: 'Storage' },
} as const

export type PartName = keyof typeof checksByPart

export const partNames = Object.keys(checksByPart) as PartName[]
export const titleOf = (part: PartName): string => checksByPart[part].title

/** The part that a check measures, if the page shows it. */
export const partOf = (check: string): PartName | undefined =>
  partNames.find(part => checksByPart[part].check === check)
