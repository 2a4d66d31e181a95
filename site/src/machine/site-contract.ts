import config from '#content/site.config.ts'
import { siteOpenapi } from '#contract/derive/site.ts'
import { siteTable } from '#contract/site/table.ts'

/** The site API's contract, for /openapi.json. */
export const siteContract = () =>
  siteOpenapi(siteTable, { name: config.name, site: config.site, email: config.email.sales })
