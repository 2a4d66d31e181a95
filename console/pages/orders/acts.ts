// Handles the forms on an order.
import type { ConsoleId } from '#contract/console/operations.ts'
import { act, textOf } from '../../act.ts'
import { orderPage } from './order.tsx'

const onOrder = (operation: ConsoleId, said: string, body?: (form: URLSearchParams) => object) =>
  act({ operation, said, page: 'order', show: orderPage, ...(body && { body }) })

/** Leaves out tracking if both fields are empty. */
function trackingOf(form: URLSearchParams): object {
  const [number, url] = [textOf(form, 'number'), textOf(form, 'url')]
  if (number === '' && url === '') return {}
  return { tracking: { carrier: form.get('carrier'), number, ...(url !== '' && { url }) } }
}

const reasonOf = (form: URLSearchParams) => ({ reason: textOf(form, 'reason') })

export const ship = onOrder('shipOrder', 'shipped', trackingOf)
export const deliver = onOrder('deliverOrder', 'delivered')
export const block = onOrder('blockOrder', 'blocked', reasonOf)
export const unblock = onOrder('unblockOrder', 'unblocked')
/** The page requires a reason, although the operation doesn't. */
export const fail = onOrder('failOrder', 'failed', reasonOf)
export const resend = onOrder('resendOrder', 'resent')
export const takeOver = onOrder('takeOverOrder', 'taken')
