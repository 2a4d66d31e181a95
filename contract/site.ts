// Every operation of the site's API, one row each, in reading order.
import { agentOperations } from './site/agent.ts'
import { askOperations } from './site/ask.ts'
import { checkoutOperations } from './site/checkout.ts'
import { feedbackOperations } from './site/feedback.ts'
import { healthOperations } from './site/health.ts'
import { listOperations } from './site/lists.ts'
import { toolOperations } from './site/tools.ts'
import { defineSite, type SiteOperation } from './site/operation.ts'

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
