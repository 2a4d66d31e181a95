// The handler for each portal read, like clinical/handlers.ts for /v1.

import type { portalReads } from '#contract/portal/reads.ts'
import type { Principal } from '#auth/principal.ts'
import type { Handlers } from './pipeline/handler.ts'
import { countCharges } from './billing/months.ts'
import { listNewestEvents } from './events/newest.ts'
import { getDeliveryChart } from './deliveries/portal/chart.ts'
import { listNewestReplays } from './replays/newest.ts'
import { listNewestDeliveries } from './deliveries/portal/deliveries.ts'
import { getDelivery } from './deliveries/portal/delivery.ts'
import { listEndpointHealth } from './deliveries/portal/health.ts'
import { countCases, getLoop } from './portal/home.ts'
import {
  countAgentCalls,
  countChanged,
  countRequests,
  listNewestRequests,
} from './portal/requests.ts'
import {
  getNextStep,
  getSandboxCase,
  listSandboxCases,
  listSandboxVisits,
} from './portal/sandbox.ts'

export const portalHandlers: Handlers<typeof portalReads, Principal> = {
  listEndpointHealth,
  getDeliveryChart,
  listNewestDeliveries,
  getDelivery,
  listNewestReplays,
  listNewestEvents,
  listNewestRequests,
  countRequests,
  countAgentCalls,
  countChanged,
  getLoop,
  countCases,
  countCharges,
  listSandboxCases,
  getSandboxCase,
  listSandboxVisits,
  getNextStep,
}
