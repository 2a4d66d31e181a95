// Recipients of a patient's disclosed record, and its legal holds.

import { recordLimits } from '#contract/console/records.ts'
import { csvOf } from '#http/html/csv.ts'
import { Field, Hidden, Select, TextArea } from '#http/html/fields.tsx'
import { Badge, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { act, type FormRefusal, statusOf, textOf } from '../../act.ts'
import { type Confirmation, ConfirmationFields, confirmationOf } from '../../confirm.tsx'
import { dateText } from '../patient-name.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { DoneNote } from '../../done.tsx'
import { missing, refused, RefusedNote } from '../../refused.tsx'
import { whose } from '../whose.tsx'

type Of<K extends 'listDisclosures' | 'listHolds'> = Extract<
  OperationResult<K>,
  { problem: null }
>['value']['data']

const said = {
  entered: 'Disclosure recorded.',
  placed: 'Legal hold placed. Nothing in the record can be destroyed until someone lifts it.',
  lifted: 'Legal hold lifted.',
}

const idIn = (call: ConsoleCall) => call.names['id'] ?? ''

const noPatient = (call: ConsoleCall) =>
  missing('Patient not found', call.pathOf('retention'), 'Retention')

async function recordPage(
  context: ConsoleContext,
  call: ConsoleCall,
  given: FormRefusal,
): Promise<PageAnswer> {
  const disclosures = await call.perform('listDisclosures')
  if (disclosures.problem?.code === 'not_found') return noPatient(call)
  if (disclosures.problem) return refused('Disclosures and holds', disclosures.problem)
  const holds = await call.perform('listHolds')
  if (holds.problem) return refused('Disclosures and holds', holds.problem)
  const patient = await whose(context, call)
  const confirmation = await confirmationOf(context, call, given.fault ?? null)
  return {
    title: 'Disclosures and holds',
    ...statusOf(given),
    content: (
      <>
        <Heading
          title="Disclosures and holds"
          lead={patient}
          action={
            <a class="button second" href={call.pathOf('patientAccess', { id: idIn(call) })}>
              Who saw this patient
            </a>
          }
        />
        <DoneNote call={call} said={said} />
        <RefusedNote of={given} />
        <Holds call={call} holds={holds.value.data} confirmation={confirmation} />
        <Disclosures call={call} disclosures={disclosures.value.data} confirmation={confirmation} />
      </>
    ),
  }
}

type RecordProps = { readonly call: ConsoleCall; readonly confirmation: Confirmation | null }

/** A page may have several, so each has its own IDs. */
const LiftForm = ({ call, id, confirmation }: RecordProps & { readonly id: string }) => {
  const isSent = call.form.get('hold') === id
  return (
    <details open={isSent}>
      <summary>Active. Lift hold</summary>
      <RowForm call={call} path={call.pathOf('liftHold', { id: idIn(call) })} isUnsaved={isSent}>
        <Hidden name="hold" value={id} />
        <div class="field">
          <label for={`lift-${id}`}>Reason for lifting</label>
          <input
            id={`lift-${id}`}
            name="reason"
            value={isSent ? (call.form.get('reason') ?? '') : ''}
            autocomplete="off"
            maxLength={recordLimits.reasonMax}
            required
          />
        </div>
        <ConfirmationFields call={call} of={confirmation} name="liftHold" id={id} isSent={isSent} />
        <button class="button danger small">Lift hold</button>
      </RowForm>
    </details>
  )
}

type HoldsProps = RecordProps & { readonly holds: Of<'listHolds'> }

const Holds = ({ call, holds, confirmation }: HoldsProps) => (
  <section>
    <h2>Legal holds</h2>
    {holds.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <Table
        caption="Legal holds"
        head={['Placed', 'By', 'Reason', 'Status']}
        rows={holds.map(({ id, placed_at, by, reason, lifted }) => [
          <Time key="at" at={placed_at} />,
          by.name ?? '—',
          reason,
          lifted !== null ? (
            <>
              <Badge tone="plain">Lifted</Badge> {lifted.by.name}: {lifted.reason}
            </>
          ) : call.mayOpen('liftHold') ? (
            <LiftForm key="lift" call={call} id={id} confirmation={confirmation} />
          ) : (
            <Badge tone="waiting">Active</Badge>
          ),
        ])}
      />
    )}
    {call.mayOpen('placeHold') && (
      <details open={call.row === 'placeHold'}>
        <summary>Place hold</summary>
        <RowForm call={call} path={call.pathOf('placeHold', { id: idIn(call) })}>
          <TextArea
            name="reason"
            label="Reason"
            hint="For example, a lawsuit. Clinic staff can see this."
            value={typedIn(call, 'placeHold', 'reason') ?? ''}
          />
          <ConfirmationFields call={call} of={confirmation} name="placeHold" />
          <button class="button">Place hold</button>
        </RowForm>
      </details>
    )}
  </section>
)

type Entries = RecordProps & { readonly disclosures: Of<'listDisclosures'> }

const Disclosures = ({ call, disclosures, confirmation }: Entries) => (
  <section>
    <h2>Disclosures</h2>
    <p class="hint">
      Patients can request this list under 45 CFR 164.528. Leave out disclosures to the patient and
      those for treatment, payment or health care operations.
    </p>
    {disclosures.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <>
        <Table
          caption="Disclosures"
          head={['Date', 'Recipient', 'What', 'Purpose', 'Recorded by']}
          rows={disclosures.map(one => [
            dateText(one.disclosed_on),
            [one.recipient, one.recipient_address].filter(Boolean).join(', '),
            one.corrects === null
              ? one.description
              : `${one.description} Corrects ${entryText(disclosures, one.corrects)}.`,
            one.purpose,
            one.by.name ?? 'Platform',
          ])}
        />
        {call.mayOpen('disclosuresCsv') && (
          <p class="actions">
            <a
              class="button second"
              href={call.pathOf('disclosuresCsv', { id: idIn(call) })}
              download
            >
              Download CSV
            </a>
          </p>
        )}
      </>
    )}
    {call.mayOpen('addDisclosure') && (
      <NewDisclosure call={call} disclosures={disclosures} confirmation={confirmation} />
    )}
  </section>
)

const nameOf = ({ disclosed_on, recipient }: Of<'listDisclosures'>[number]) =>
  `${dateText(disclosed_on)}, ${recipient}`

const entryText = (disclosures: Of<'listDisclosures'>, id: string): string => {
  const found = disclosures.find(one => one.id === id)
  return found === undefined ? id : nameOf(found)
}

function NewDisclosure({ call, disclosures, confirmation }: Entries) {
  const value = (name: string) => ({ name, value: typedIn(call, 'addDisclosure', name) ?? '' })
  return (
    <details open={call.row === 'addDisclosure'}>
      <summary>Record disclosure</summary>
      <RowForm call={call} path={call.pathOf('addDisclosure', { id: idIn(call) })}>
        <Field {...value('disclosed_on')} label="Date" type="date" />
        <Field {...value('recipient')} label="Recipient" input={{ maxlength: 200 }} />
        <Field {...value('recipient_address')} label="Recipient’s address" isOptional />
        <TextArea {...value('description')} label="What was disclosed" />
        <TextArea {...value('purpose')} label="Purpose" />
        {disclosures.length > 0 && (
          <Select
            {...value('corrects')}
            label="Entry this corrects"
            options={[
              ['', 'None'],
              ...disclosures.toReversed().map(one => [one.id, nameOf(one)] as const),
            ]}
          />
        )}
        <ConfirmationFields call={call} of={confirmation} name="addDisclosure" />
        <button class="button">Record disclosure</button>
      </RowForm>
    </details>
  )
}

const disclosuresCsv: ConsoleHandler = async (_, call) => {
  const found = await call.perform('listDisclosures')
  if (found.problem?.code === 'not_found') return noPatient(call)
  if (found.problem) return refused('Disclosures and holds', found.problem)
  const content = csvOf(
    [
      'id',
      'day',
      'recipient',
      'address',
      'what',
      'purpose',
      'corrects',
      'entered by',
      'entered at',
    ],
    found.value.data.map(one => [
      one.id,
      one.disclosed_on,
      one.recipient,
      one.recipient_address,
      one.description,
      one.purpose,
      one.corrects,
      one.by.name,
      one.created_at,
    ]),
  )
  return { file: { name: 'disclosures.csv', type: 'text/csv; charset=utf-8', content } }
}

const common = { page: 'patientRecord', show: recordPage } as const

export const recordHandlers = {
  patientRecord: (context, call) => recordPage(context, call, {}),
  disclosuresCsv,
  addDisclosure: act({
    ...common,
    operation: 'addDisclosure',
    said: 'entered',
    body: form => ({
      disclosed_on: textOf(form, 'disclosed_on'),
      recipient: textOf(form, 'recipient'),
      recipient_address: textOf(form, 'recipient_address') || null,
      description: textOf(form, 'description'),
      purpose: textOf(form, 'purpose'),
      corrects: textOf(form, 'corrects') || null,
    }),
  }),
  placeHold: act({
    ...common,
    operation: 'placeHold',
    said: 'placed',
    body: form => ({ reason: textOf(form, 'reason') }),
  }),
  liftHold: act({
    ...common,
    operation: 'liftHold',
    said: 'lifted',
    body: form => ({ hold: textOf(form, 'hold'), reason: textOf(form, 'reason') }),
  }),
} satisfies Record<string, ConsoleHandler>
