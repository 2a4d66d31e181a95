// Redelivers many deliveries at once: those selected in the list, or all that match its filters.
import { momentOf } from '#http/html/form-text.ts'
import { Hidden } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { Query } from '#http/pages/table.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { redeliverFormId } from '../webhooks/deliveries.tsx'

/** The maximum number of deliveries to resend with one click. A replay can resend more. */
const redeliveriesMax = 100

type Props = { readonly call: MemberCall; readonly filters: Query }

export const RedeliverForm = ({ call, filters }: Props) => (
  <RowForm call={call} path={call.pathOf('redeliverDeliveries')} id={redeliverFormId}>
    {Object.entries(filters).map(([name, value]) => (
      <Hidden key={name} name={name} value={value ?? ''} />
    ))}
    <div class="row-actions">
      <button class="button second small" name="which" value="selected">
        Redeliver selected
      </button>
      <button class="button second small" name="which" value="all">
        Redeliver all that match
      </button>
    </div>
  </RowForm>
)

const filterNames = ['webhook_endpoint', 'status', 'event_type', 'event', 'since', 'until'] as const

const filtersIn = (form: URLSearchParams): Query =>
  Object.fromEntries(filterNames.map(name => [name, form.get(name) ?? undefined]))

/** The newest matching or selected IDs, or null if a filter is invalid. */
async function chosenIds(call: MemberCall): Promise<readonly string[] | null> {
  const { form } = call
  if (form.get('which') !== 'all') {
    return [...new Set(form.getAll('delivery'))].slice(0, redeliveriesMax)
  }
  const { since, until, ...filters } = filtersIn(form)
  const query = { ...filters, since: momentOf(since), until: momentOf(until) }
  const found = await callForIntegration(call, 'listNewestDeliveries', {
    query: { ...query, limit: String(redeliveriesMax) },
  })
  if (found.problem !== null) return null
  // Redeliveries are left out, because their first delivery is resent.
  const first = found.value.data.filter(({ redelivery }) => !redelivery)
  return first.slice(0, redeliveriesMax).map(({ id }) => id)
}

/** Returns whether the redelivery was scheduled. A form submitted twice redelivers once, because
 *  each key is derived from its `once` field. */
async function redeliver(call: MemberCall, id: string): Promise<boolean> {
  const found = await callForIntegration(call, 'getDelivery', { names: { id } })
  if (found.problem !== null) return false
  const { event, webhook_endpoint, organization } = found.value
  const again = await call.api('redeliverEvent', {
    names: { id: event },
    body: { webhook_endpoint },
    organization,
    key: `${call.form.get('once') ?? ''}.${id}`,
  })
  return again.problem === null
}

export const redeliverDeliveries: PortalHandler = async (_portal, call) => {
  const ids = await chosenIds(call)
  const redirect = call.pathOf('deliveries', {}, filtersIn(call.form))
  if (ids === null || ids.length === 0) {
    return { redirect, toast: { text: 'Nothing selected. Select the deliveries to send again.' } }
  }
  let sent = 0
  for (const id of ids) if (await redeliver(call, id)) sent++
  const skipped = ids.length - sent
  const text = `${sent} ${sent === 1 ? 'redelivery' : 'redeliveries'} scheduled`
  return { redirect, toast: { text: skipped === 0 ? text : `${text}, ${skipped} skipped` } }
}
