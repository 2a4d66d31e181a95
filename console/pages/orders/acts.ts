// What the forms of an order do.
import type { ConsoleId } from '#contract/console/operations.ts'
import { act, textOf } from '../../act.ts'
import type { ConsoleHandler } from '../../context.ts'
import { orderPage } from './order.tsx'

const onOrder = (
  operation: ConsoleId,
  said: string,
  body?: (form: URLSearchParams) => object,
): ConsoleHandler => act({ operation, said, page: 'order', show: orderPage, ...(body && { body }) })

/** Without a number there is no parcel to follow. */
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
export const fail = onOrder('failOrder', 'failed', form =>
  textOf(form, 'reason') === '' ? {} : reasonOf(form),
)
export const resend = onOrder('resendOrder', 'resent')
export const takeOver = onOrder('takeOverOrder', 'taken')
