// Handlers for the organization pages.
import { agreementHandlers } from './agreement.tsx'
import { closingHandlers } from './closing.tsx'
import { configurationHandlers } from './configuration.tsx'
import { goLiveHandlers } from './go-live.tsx'
import { grantRequestHandlers } from './grant-request.tsx'
import { grantHandlers } from './grants.tsx'
import { invoiceFileHandlers } from './invoice-files.ts'
import { invoiceHandlers } from './invoice.tsx'
import { memberHandlers } from './member.tsx'
import { memberListHandlers } from './members.tsx'
import { settingsHandlers } from './settings.tsx'
import { usageHandlers } from './usage.tsx'

export const organizationHandlers = {
  ...memberListHandlers,
  ...memberHandlers,
  ...grantHandlers,
  ...grantRequestHandlers,
  ...goLiveHandlers,
  ...agreementHandlers,
  ...usageHandlers,
  ...invoiceHandlers,
  ...invoiceFileHandlers,
  ...settingsHandlers,
  ...configurationHandlers,
  ...closingHandlers,
}
