// The clinic's settings.

import {
  changeClinicSettings,
  type ClinicRow,
  type ClinicSettings,
  isTimeZone,
  readClinic,
} from '#auth/clinics/settings.ts'
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { emailOf, lineOf } from '#http/html/form-text.ts'
import { Facts, Heading, RowForm } from '#http/html/parts.tsx'
import type { ConsoleContext, ConsoleHandler, ConsoleCall } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { isOutdated, savedHint, typedIn } from '#http/pages/typed.tsx'
import { ZoneField, zoneFault } from '../../zone-field.tsx'
import { refusalText } from './refusals.ts'

const said = { saved: 'Settings saved.' }

type FieldName = keyof ClinicSettings
type SettingsState = {
  readonly faults?: Partial<Record<FieldName, string | undefined>>
  readonly alert?: string
}

/** The request's clinic, which the session opened. */
export async function clinicOf({ pool }: ConsoleContext, call: ConsoleCall): Promise<ClinicRow> {
  const found = await pool.use(connection => readClinic(connection, call.staff.organization))
  if (found === null) throw new Error("a staff member's clinic does not exist")
  return found
}

export const revisionOf = ({ form }: ConsoleCall): string => {
  const text = form.get('revision') ?? ''
  return /^\d{1,18}$/.test(text) ? text : '0'
}

async function settingsPage(context: ConsoleContext, call: ConsoleCall, shown: SettingsState = {}) {
  const clinic = await clinicOf(context, call)
  const isLate = isOutdated(call, 'changeClinicSettings', clinic.revision)
  const field = (name: FieldName, hint?: string) => {
    const saved = clinic[name] ?? ''
    const value = typedIn(call, 'changeClinicSettings', name) ?? saved
    const differs = isLate && value.trim() !== saved
    const hints = [hint, differs && savedHint(saved)].filter(Boolean).join(' ')
    return { name, value, fault: shown.faults?.[name], ...(hints !== '' && { hint: hints }) }
  }
  return {
    title: 'Settings',
    status: shown.alert !== undefined ? 409 : shown.faults !== undefined ? 422 : 200,
    content: (
      <>
        <Heading title="Settings" />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        <Facts
          of={[
            ['ID', <code>{clinic.id}</code>],
            ['Slug', <code>{clinic.slug}</code>],
          ]}
        />
        <p class="quiet">Integrations use both to identify the clinic, so neither can change.</p>
        <RowForm call={call} path={call.pathOf('changeClinicSettings')} class="stack">
          <Hidden name="revision" value={clinic.revision} />
          <Field
            {...field('name', 'Shown to integrations and patients.')}
            label="Name"
            input={{ maxlength: 200 }}
          />
          <ZoneField
            {...field('time_zone', 'For everyone who hasn’t set their own under Preferences.')}
            label="Time zone"
          />
          <Field {...field('contact_email')} label="Contact email" type="email" isOptional />
          <Field {...field('contact_phone')} label="Contact phone" isOptional />
          <Field
            {...field(
              'incident_email',
              'Required in live mode. We send incidents and emergency access notices here.',
            )}
            label="Incident email"
            type="email"
            isOptional
          />
          <div class="actions">
            <button class="button">Save</button>
          </div>
        </RowForm>
      </>
    ),
  }
}

const change: ConsoleHandler = async (context, call) => {
  const { form } = call
  const [name, zone] = [lineOf(form, 'name', 'Name'), lineOf(form, 'time_zone', 'Time zone', 64)]
  const contact = emailOf(form, 'contact_email', { isOptional: true })
  const incident = emailOf(form, 'incident_email', { isOptional: true })
  const hasPhone = (form.get('contact_phone') ?? '').trim() !== ''
  const phone = lineOf(form, 'contact_phone', 'Contact phone', 50)
  const faults = {
    name: name.fault,
    time_zone: isTimeZone(zone.value) ? undefined : zoneFault,
    contact_email: contact.fault,
    contact_phone: hasPhone ? phone.fault : undefined,
    incident_email: incident.fault,
  }
  const values = {
    name: name.value,
    time_zone: zone.value,
    contact_email: contact.value || null,
    contact_phone: hasPhone ? phone.value : null,
    incident_email: incident.value || null,
  }
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return settingsPage(context, call, { faults })
  }
  const { refusal } = await context.pool.use(connection =>
    changeClinicSettings(connection, { ...values, revision: revisionOf(call) }, call.act),
  )
  if (refusal === null) return { redirect: call.pathOf('clinicSettings', {}, { done: 'saved' }) }
  return settingsPage(
    context,
    call,
    refusal === 'incident_email_required'
      ? { faults: { incident_email: 'Enter an incident email. A live clinic needs one.' } }
      : { alert: refusalText(refusal) },
  )
}

export const settingsHandlers = {
  clinicSettings: (context, call) => settingsPage(context, call),
  changeClinicSettings: change,
} satisfies Record<string, ConsoleHandler>
