// Every operation of the site's API, one row each, in reading order.
import { agentOperations } from './agent.ts'
import { askOperations } from './ask.ts'
import { checkoutOperations } from './checkout.ts'
import { feedbackOperations } from './feedback.ts'
import { healthOperations } from './health.ts'
import { listOperations } from './lists.ts'
import { toolOperations } from './tools.ts'
import { defineSite, type SiteOperation } from './operation.ts'

const siteOperations = defineSite({
  ...listOperations,
  ...askOperations,
  ...checkoutOperations,
  ...agentOperations,
  ...toolOperations,
  ...feedbackOperations,
  ...healthOperations,
})

export const siteTable: Readonly<Record<string, SiteOperation>> = siteOperations
