import { say } from './consent.ts'
import company from './site.config.ts'

/** The site agent card's texts. */
export const siteAgent = {
  site: company.site,
  name: company.name,
  minutes: company.booking.minutes,
  stated: say('stated'),
  notMedical: say('not_medical'),
  privacy: say('privacy'),
}
