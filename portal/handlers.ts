// Handlers for the portal's table rows.
// Decided in docs/decisions/0094-render-the-portal-on-the-server.md.
import type { PortalHandlers } from './context.ts'
import { credentialHandlers } from './pages/credentials/handlers.ts'
import { deliveryHandlers } from './pages/deliveries/handlers.ts'
import { eventHandlers } from './pages/events/handlers.ts'
import { homeHandlers } from './pages/home/home.tsx'
import { organizationHandlers } from './pages/organization/handlers.ts'
import { webhookHandlers } from './pages/webhooks/handlers.ts'
import { metricHandlers } from './pages/metrics/metrics.tsx'
import { requestHandlers } from './pages/requests/handlers.ts'
import { showSearch } from './pages/search/search.tsx'
import { personHandlers } from './people.tsx'
import { sandboxHandlers } from './pages/sandbox/handlers.ts'

export const handlers: PortalHandlers = {
  ...personHandlers,
  ...homeHandlers,
  ...requestHandlers,
  ...metricHandlers,
  ...sandboxHandlers,
  ...credentialHandlers,
  ...webhookHandlers,
  ...deliveryHandlers,
  ...eventHandlers,
  ...organizationHandlers,
  search: showSearch,
}
