// Redelivers many deliveries at once: those selected in the list, or all that match its filters.
import { momentOf } from '#http/html/form-text.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Confirm, RowForm } from '#http/html/parts.tsx'
import type { Query } from '#http/pages/table.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { redeliverFormId } from '../webhooks/deliveries.tsx'

/** The maximum number of deliveries to resend with one click. A replay can resend more. */
const redeliveriesMax = 100

type Props = {
  readonly call: MemberCall
  readonly filters: Query
  /** The number of deliveries to resend for the filters; null if more are on other pages. */
  readonly count: number | null
}

export const RedeliverForm = ({ call, filters, count }: Props) => {
  const path = call.pathOf('redeliverDeliveries')
  const fields = Object.entries(filters).map(([name, value]) => (
    <Hidden key={name} name={name} value={value ?? ''} />
  ))
  return (
    <div class="row-actions">
      <RowForm call={call} path={path} id={redeliverFormId} class="inline">
        {fields}
        <button class="button second small" name="which" value="selected">
          Redeliver selected
        </button>
      </RowForm>
      {count !== 0 && (
        <Confirm
          call={call}
          path={path}
          label="Redeliver all that match"
          question={questionOf(count)}
          action="Redeliver"
        >
          {fields}
          <Hidden name="which" value="all" />
        </Confirm>
      )}
    </div>
  )
}

function questionOf(count: number | null): string {
  if (count === null) return `Resend matching deliveries, up to the newest ${redeliveriesMax}?`
  return count === 1 ? 'Resend 1 matching delivery?' : `Resend ${count} matching deliveries?`
}

const filterNames = ['webhook_endpoint', 'status', 'event_type', 'event', 'since', 'until'] as const

const filtersIn = (form: URLSearchParams): Query =>
  Object.fromEntries(filterNames.map(name => [name, form.get(name) ?? undefined]))

type Chosen = { readonly ids: readonly string[]; readonly hasOlder: boolean }

/** Redeliveries are left out, because their first delivery is resent. */
export const resendable = <T extends { readonly redelivery: boolean }>(of: readonly T[]) =>
  of.filter(({ redelivery }) => !redelivery)

/** The newest matching or selected IDs, or null if a filter is invalid. */
async function chosenIds(call: MemberCall): Promise<Chosen | null> {
  const { form } = call
  if (form.get('which') !== 'all') {
    const ids = [...new Set(form.getAll('delivery'))].slice(0, redeliveriesMax)
    return { ids, hasOlder: false }
  }
  const { since, until, ...filters } = filtersIn(form)
  const query = { ...filters, since: momentOf(since), until: momentOf(until) }
  const found = await callForIntegration(call, 'listNewestDeliveries', {
    query: { ...query, limit: String(redeliveriesMax) },
  })
  if (found.problem !== null) return null
  const { data } = found.value
  const ids = resendable(data.slice(0, redeliveriesMax)).map(({ id }) => id)
  // The read returns one extra item if there are more.
  return { ids, hasOlder: data.length > redeliveriesMax }
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
  const chosen = await chosenIds(call)
  const redirect = call.pathOf('deliveries', {}, filtersIn(call.form))
  if (chosen === null || chosen.ids.length === 0) {
    return { redirect, toast: { text: 'Nothing selected. Select the deliveries to send again.' } }
  }
  const { ids, hasOlder } = chosen
  let sent = 0
  for (const id of ids) if (await redeliver(call, id)) sent++
  const skipped = ids.length - sent
  const text = `${sent} ${sent === 1 ? 'redelivery' : 'redeliveries'} scheduled`
  const result = skipped === 0 ? text : `${text}, ${skipped} skipped`
  return { redirect, toast: { text: hasOlder ? `${result}. ${olderText}` : result } }
}

const olderText =
  'Older ones weren’t sent. To resend them, open the endpoint and choose Replay events.'
