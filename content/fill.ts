import { contractNumbers, written } from './numbers.ts'
import config from './site.config.ts'

/** Page text about live mode: whether it's open, and in which modes the API is served. */
export const modeSentences = (liveSince: string | null) =>
  liveSince === null
    ? {
        live: "Live mode isn't open yet; no clinics are connected.",
        modes: 'in test mode',
      }
    : { live: `Live mode has been open since ${liveSince}.`, modes: 'in test and live mode' }

const names: Record<string, string> = {
  ...modeSentences(config.liveSince),
  brand: config.name,
  legal: config.legalName,
  site: config.site,
  api: config.api,
  sign_up_url: config.portal === null ? '/docs/quickstart' : `${config.auth}/sign-up`,
  portal_url: config.portal ?? '/docs/portal',
  sales: config.email.sales,
  privacy: config.email.privacy,
  security: config.email.security,
  minutes: String(config.booking.minutes),
  retention_days: String(config.booking.retentionDays),
  privacy_url: `${config.site}/privacy`,
  booking_url: `${config.site}/booking`,
}

const keys = [...Object.keys(names), ...Object.keys(contractNumbers)].join('|')
const placeholder = new RegExp(`(?<!\\$)\\{(${keys})(?::([Ww]ord))?\\}`, 'g')

/**
 * Replaces `{brand}`, `{site}` and the other names above with the company's values, and the names
 * in numbers.ts with the contract's numbers: `{delivery_attempts}` is 9, `{delivery_attempts:word}`
 * nine. Other braces, such as `/v1/cases/{id}` or `${api}` in a template, stay unchanged.
 */
export function fill(text: string): string {
  return text.replace(placeholder, (_, key: string, form?: string) => {
    const number = contractNumbers[key]
    return number === undefined ? (names[key] ?? '') : written(number.value, form)
  })
}
