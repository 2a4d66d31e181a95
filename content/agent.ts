import { say } from './consent.ts'
import company from './site.config.ts'

/** What the site's agent says of itself and of the company: the texts of its card. */
export const siteAgent = {
  site: company.site,
  name: company.name,
  minutes: company.booking.minutes,
  ask: say('ask'),
  notMedical: say('not_medical'),
  privacy: say('privacy'),
}
