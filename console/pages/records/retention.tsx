// How long the clinic keeps a patient's record, and which records are due.

import { localDay } from '#http/html/zone.tsx'
import { consoleOperations } from '#contract/console/operations.ts'
import { isOpenTo } from '#contract/console/row.ts'
import {
  readRetentionPolicy,
  type RetentionPolicy,
  setRetentionPolicy,
} from '#auth/clinics/retention.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { Heading, NextPage, RowForm, Table, Time } from '#http/html/parts.tsx'
import { dateText } from '../patient-name.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { refused } from '../../refused.tsx'
import { refusalText } from '../administration/refusals.ts'
import { revisionOf } from '../administration/settings.tsx'

const defaults = { years: '10', minor_age: '28' } as const
const ranges = { years: [6, 100], minor_age: [18, 100] } as const
type Name = keyof typeof ranges
/** How far ahead the page lists due records: as long as a new policy waits before it applies. */
const aheadDays = 30

type RetentionState = { alert?: string; faults?: Partial<Record<Name, string | undefined>> }
type Due = Extract<OperationResult<'listDueRecords'>, { problem: null }>['value']

async function retentionPage(
  context: ConsoleContext,
  call: ConsoleCall,
  shown: RetentionState = {},
) {
  const { organization } = call.staff
  const policy = await context.pool.use(one => readRetentionPolicy(one, organization))
  const lists = isOpenTo(consoleOperations.listDueRecords, call.staff)
  const by = `${localDay(context.now(), call.zone).add({ days: aheadDays })}`
  const page = {
    after_day: call.query.get('day') ?? undefined,
    after: call.query.get('after') ?? undefined,
  }
  const found = lists ? await call.perform('listDueRecords', { query: { by, ...page } }) : null
  if (found?.problem) return refused('Retention', found.problem)
  return {
    title: 'Retention',
    status: shown.alert !== undefined ? 409 : shown.faults !== undefined ? 422 : 200,
    content: (
      <>
        <Heading title="Retention" lead="How long the clinic keeps patient records." />
        <DoneNote call={call} said={{ saved: 'Policy saved. It takes effect in 30 days.' }} />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <Policy policy={policy} />
        {call.mayOpen('setRetention') && <PolicyForm call={call} policy={policy} shown={shown} />}
        {found !== null && <DueList call={call} due={found.value} by={by} />}
      </>
    ),
  }
}

const Policy = ({ policy }: { policy: RetentionPolicy | null }) =>
  policy === null ? (
    <p class="note">No policy yet, so records are never destroyed.</p>
  ) : (
    <p>
      Records are destroyed {policy.years} years after the last activity, and never before the
      patient would be {policy.minor_age}. Effective <Time at={policy.starts_at} />.
    </p>
  )

type FormProps = { call: ConsoleCall; policy: RetentionPolicy | null; shown: RetentionState }

function PolicyForm({ call, policy, shown }: FormProps) {
  if (!call.isFactorFresh) {
    return (
      <p class="actions">
        <a class="button second" href={signInPath(call.pathOf('retention'), true)}>
          Verify it’s you to change the policy
        </a>
      </p>
    )
  }
  const field = (name: Name) => ({
    name,
    type: 'number' as const,
    value: call.form.get(name) ?? String(policy?.[name] ?? defaults[name]),
    fault: shown.faults?.[name],
    input: { min: ranges[name][0], max: ranges[name][1] },
  })
  return (
    <RowForm call={call} path={call.pathOf('setRetention')} class="stack">
      <Hidden name="revision" value={policy?.revision ?? '0'} />
      <Field
        {...field('years')}
        label="Years after the last activity"
        hint="At least 6. Your state may require more."
      />
      <Field
        {...field('minor_age')}
        label="Keep until age"
        hint="For patients who were minors: the age of majority plus the years your state requires."
      />
      <p class="hint">
        Changes take effect after 30 days, so records staff can review what’s due. Records with a
        legal hold or an open case, order or visit are always kept.
      </p>
      <div class="actions">
        <button class="button">Save</button>
      </div>
    </RowForm>
  )
}

const reasons = {
  hold: 'Legal hold',
  open_case: 'Open case',
  open_order: 'Open order',
  open_visit: 'Upcoming visit',
} as const

function DueList({
  call,
  due: { data, has_more },
  by,
}: {
  call: ConsoleCall
  due: Due
  by: string
}) {
  const last = data.at(-1)
  const next = { day: last?.due_on, after: last?.patient }
  return (
    <section>
      <h2>Due by {dateText(by)}</h2>
      {data.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <Table
          caption="Records due for destruction"
          head={['Due', 'Patient', 'Last activity', 'Kept by']}
          rows={data.map(({ patient, due_on, last_activity_on, kept_by }) => [
            dateText(due_on),
            <a key="patient" href={call.pathOf('patientRecord', { id: patient })}>
              <code>{patient}</code>
            </a>,
            dateText(last_activity_on),
            kept_by === null ? <span class="quiet">Nothing</span> : reasons[kept_by],
          ])}
        />
      )}
      <NextPage
        next={has_more ? call.pathOf('retention', {}, next) : null}
        first={call.query.has('after') ? call.pathOf('retention') : null}
      />
    </section>
  )
}

const setRetention: ConsoleHandler = async (context, call) => {
  const numberOf = (name: Name) => {
    const text = (call.form.get(name) ?? '').trim()
    return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  }
  const faultOf = (name: Name): string | undefined => {
    const [least, most] = ranges[name]
    const value = numberOf(name)
    return value >= least && value <= most ? undefined : `Enter a number from ${least} to ${most}.`
  }
  const faults = { years: faultOf('years'), minor_age: faultOf('minor_age') }
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return retentionPage(context, call, { faults })
  }
  const policy = {
    years: numberOf('years'),
    minorAge: numberOf('minor_age'),
    revision: revisionOf(call),
  }
  const { refusal } = await context.pool.use(one => setRetentionPolicy(one, policy, call.act))
  if (refusal === null) return { redirect: call.pathOf('retention', {}, { done: 'saved' }) }
  return retentionPage(context, call, { alert: refusalText(refusal) })
}

export const retentionHandlers = {
  retention: (context, call) => retentionPage(context, call),
  setRetention,
} satisfies Record<string, ConsoleHandler>
