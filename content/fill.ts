import config from './site.config.ts'

const names: Record<string, string> = {
  brand: config.name,
  legal: config.legalName,
  site: config.site,
  api: config.api,
  sales: config.email.sales,
  privacy: config.email.privacy,
  security: config.email.security,
  minutes: String(config.booking.minutes),
  retention_days: String(config.booking.retentionDays),
  privacy_url: `${config.site}/privacy`,
  booking_url: `${config.site}/booking`,
}

const placeholder = new RegExp(`(?<!\\$)\\{(${Object.keys(names).join('|')})\\}`, 'g')

/**
 * Puts the company's name and addresses where content says `{brand}`, `{site}` or another of these
 * names. Any other brace, such as `/v1/cases/{id}` or a template's `${api}`, is left as written.
 */
export function fill(text: string): string {
  return text.replace(placeholder, (_, key: string) => names[key] ?? '')
}
