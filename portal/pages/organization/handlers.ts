// The handlers of the pages of the group Organization.
import { grantRequestHandlers } from './grant-request.tsx'
import { grantHandlers } from './grants.tsx'
import { memberHandlers } from './member.tsx'
import { memberListHandlers } from './members.tsx'

export const organizationHandlers = {
  ...memberListHandlers,
  ...memberHandlers,
  ...grantHandlers,
  ...grantRequestHandlers,
}
