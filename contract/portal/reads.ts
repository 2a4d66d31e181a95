// Every portal read that the API doesn't have, one row each.
import { operations } from '../api.ts'
import { previewOperations } from '../preview/operations.ts'
import { billingReads } from './reads/billing.ts'
import { deliveryReads } from './reads/deliveries.ts'
import { homeReads } from './reads/home.ts'
import { requestReads } from './reads/requests.ts'
import { sandboxReads } from './reads/sandbox.ts'
import { webhookReads } from './reads/webhooks.ts'

export const portalReads = {
  ...webhookReads,
  ...deliveryReads,
  ...requestReads,
  ...homeReads,
  ...billingReads,
  ...sandboxReads,
}

/** The operations that a member's session may call. */
export const sessionOperations = { ...operations, ...previewOperations, ...portalReads }
export type SessionOperationId = keyof typeof sessionOperations
