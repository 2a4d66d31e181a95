// The pharmacy that receives the clinic's prescriptions.

import {
  connectPharmacy,
  disconnectPharmacy,
  type PharmacyRow,
  readPharmacyOfClinic,
  rotatePharmacySecret,
} from '#auth/clinics/pharmacy.ts'
import { newId } from '#auth/ids.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import { lineOf } from '#http/html/form-text.ts'
import { Confirm, Facts, Heading, RowForm, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { DoneNote } from '../../done.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { refusalText } from './refusals.ts'

const said = { disconnected: 'Pharmacy disconnected.' }

type PharmacyState = {
  readonly faults?: Partial<Record<'name' | 'url', string | undefined>>
  readonly alert?: string
  /** Shown once. */
  readonly secret?: string
}

async function pharmacyPage(
  context: ConsoleContext,
  call: ConsoleCall,
  shown: PharmacyState = {},
): Promise<PageAnswer> {
  const found = await context.pool.use(connection =>
    readPharmacyOfClinic(connection, call.staff.organization),
  )
  return {
    title: 'Pharmacy',
    status: shown.alert !== undefined ? 409 : shown.faults !== undefined ? 422 : 200,
    content: (
      <>
        <Heading
          title="Pharmacy"
          lead="Signed prescriptions go to your connected pharmacy. Without one, your staff ships orders from the Orders page."
        />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        {shown.secret !== undefined && (
          <p class="success" role="status">
            You’ll see this secret only once: <code>{shown.secret}</code>
          </p>
        )}
        {found === null ? (
          <ConnectForm call={call} shown={shown} />
        ) : (
          <Connected context={context} call={call} pharmacy={found} />
        )}
      </>
    ),
  }
}

const ConnectForm = ({ call, shown }: { call: ConsoleCall; shown: PharmacyState }) => (
  <RowForm call={call} path={call.pathOf('connectPharmacy')} class="stack">
    <Field
      name="name"
      label="Pharmacy name"
      value={typedIn(call, 'connectPharmacy', 'name') ?? ''}
      fault={shown.faults?.name}
      input={{ maxlength: 200 }}
    />
    <Field
      name="url"
      label="Prescription URL"
      type="url"
      value={typedIn(call, 'connectPharmacy', 'url') ?? ''}
      fault={shown.faults?.url}
      hint="Must start with https://. We send every prescription signed from now on."
      input={{ maxlength: 2048 }}
    />
    <div class="actions">
      <button class="button">Connect</button>
    </div>
  </RowForm>
)

type ConnectedProps = { context: ConsoleContext; call: ConsoleCall; pharmacy: PharmacyRow }

function Connected({ context, call, pharmacy }: ConnectedProps) {
  const { id, name, url, since, previous_until } = pharmacy
  return (
    <>
      <Facts
        of={[
          ['Name', name],
          ['Prescription URL', <code key="url">{url}</code>],
          ['Update URL', <code key="to">{context.pharmacies.updatesUrl(id)}</code>],
          ['Connected', <Time key="since" at={since} />],
          ...(previous_until === null
            ? []
            : [['Old secret works until', <Time key="old" at={previous_until} />] as const]),
        ]}
      />
      <RowForm call={call} path={call.pathOf('rotatePharmacySecret', { id })} class="stack">
        <p class="hint">A new secret takes effect right away. The old one works for 24 hours.</p>
        <button class="button second">Rotate secret</button>
      </RowForm>
      <Confirm
        call={call}
        path={call.pathOf('disconnectPharmacy', { id })}
        label="Disconnect"
        question={`Updates from ${name} stop, and unsent prescriptions stay on the Orders page. Your staff ships every open order.`}
        action="Disconnect pharmacy"
      />
    </>
  )
}

const connect: ConsoleHandler = async (context, call) => {
  const name = lineOf(call.form, 'name', 'Pharmacy name')
  const url = (call.form.get('url') ?? '').trim()
  const unfit = await context.pharmacies.faultOf(url)
  const faults = { name: name.fault, url: unfit?.replace(/^url/, 'Prescription URL') }
  if (faults.name !== undefined || faults.url !== undefined) {
    return pharmacyPage(context, call, { faults })
  }
  const id = newId('pharmacy')
  const { shown, stored } = context.pharmacies.secretOf(id)
  const { refusal } = await context.pool.use(connection =>
    connectPharmacy(connection, { id, name: name.value, url, secret: stored }, call.act),
  )
  if (refusal !== null) return pharmacyPage(context, call, { alert: refusalText(refusal) })
  return pharmacyPage(context, call, { secret: shown })
}

const idOf = ({ names }: ConsoleCall) => names['id'] ?? ''

const rotate: ConsoleHandler = async (context, call) => {
  const { shown, stored } = context.pharmacies.secretOf(idOf(call))
  const { refusal } = await context.pool.use(connection =>
    rotatePharmacySecret(
      connection,
      { id: idOf(call), secret: stored },
      { ...call.act, once: call.form.get('once') },
    ),
  )
  if (refusal !== null) return pharmacyPage(context, call, { alert: refusalText(refusal) })
  return pharmacyPage(context, call, { secret: shown })
}

const disconnect: ConsoleHandler = async (context, call) => {
  const { refusal } = await context.pool.use(connection =>
    disconnectPharmacy(connection, idOf(call), call.act),
  )
  if (refusal !== null) return pharmacyPage(context, call, { alert: refusalText(refusal) })
  return { redirect: call.pathOf('pharmacy', {}, { done: 'disconnected' }) }
}

export const pharmacyHandlers = {
  pharmacy: (context, call) => pharmacyPage(context, call),
  connectPharmacy: connect,
  rotatePharmacySecret: rotate,
  disconnectPharmacy: disconnect,
} satisfies Record<string, ConsoleHandler>
