// Handles the buttons on the webhook pages.
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { refused } from '../../refused.tsx'
import { idOf, missingOr } from './find.tsx'
import { secretPage } from './secret.tsx'

/** Offers an undo if the member may do the opposite. */
const statusToast = (call: MemberCall, status: 'enabled' | 'disabled') => {
  const undo = status === 'enabled' ? 'disableWebhook' : 'enableWebhook'
  return {
    text: status === 'enabled' ? 'Endpoint enabled' : 'Endpoint disabled',
    ...(call.mayOpen(undo) && { undo: { path: call.pathOf(undo, idOf(call)) } }),
  }
}

const withStatus =
  (status: 'enabled' | 'disabled'): PortalHandler =>
  async (_portal, call) => {
    const names = idOf(call)
    const given = { names, body: { status } }
    const asEndpoint = await callForIntegration(call, 'updateWebhookEndpoint', given)
    const changed =
      asEndpoint.problem?.code === 'not_found'
        ? await callForIntegration(call, 'updateDestination', given)
        : asEndpoint
    if (changed.problem) return missingOr(call, changed.problem)
    return { redirect: call.pathOf('webhook', names), toast: statusToast(call, status) }
  }

export const enableWebhook = withStatus('enabled')
export const disableWebhook = withStatus('disabled')

export const rotateWebhook: PortalHandler = async (portal, call) => {
  const names = idOf(call)
  const rotated = await callForIntegration(call, 'rotateWebhookSecret', { names })
  if (rotated.problem) return missingOr(call, rotated.problem)
  return secretPage(portal, call, rotated.value, {
    title: 'Your new secret',
    lead: 'Copy the secret now. You won’t see it again. Deliveries are signed with both secrets for 24 hours.',
  })
}

export const deleteWebhook: PortalHandler = async (_portal, call) => {
  const names = idOf(call)
  const asEndpoint = await callForIntegration(call, 'deleteWebhookEndpoint', { names })
  const deleted =
    asEndpoint.problem?.code === 'not_found'
      ? await callForIntegration(call, 'deleteDestination', { names })
      : asEndpoint
  // Deleting twice isn't an error.
  return deleted.problem && deleted.problem.code !== 'not_found'
    ? missingOr(call, deleted.problem)
    : { redirect: call.pathOf('webhooks'), toast: { text: 'Endpoint deleted' } }
}

export const triggerWebhook: PortalHandler = async (_portal, call) => {
  const endpoint = call.form.get('webhook_endpoint') ?? ''
  const sent = await call.api('triggerWebhook', {
    body: {
      type: call.form.get('type') ?? '',
      ...(endpoint !== '' && { webhook_endpoint: endpoint }),
    },
  })
  if (sent.problem) return refused(call, 'Send test event', sent.problem)
  return {
    redirect: call.pathOf('event', { id: sent.value.id }),
    toast: { text: 'Test event sent' },
  }
}
