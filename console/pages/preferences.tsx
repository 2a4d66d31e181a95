// A person's own settings: the time zone for every page, and the emailed summary.
import { changeTimeZone } from '#auth/accounts/own-account.ts'
import {
  chooseDigest,
  type DigestChoice,
  isDigestChoice,
  readDigestChoice,
} from '#auth/clinics/digest.ts'
import { isTimeZone } from '#auth/clinics/settings.ts'
import { Select } from '#http/html/fields.tsx'
import { Heading, RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../context.ts'
import { DoneNote } from '../done.tsx'
import { ZoneField, zoneFault } from '../zone-field.tsx'

const digestLabels = {
  none: 'Off',
  weekday: 'Weekdays at 8 AM',
  day: 'Every day at 8 AM',
} as const satisfies Record<DigestChoice, string>

type Faults = { readonly zone?: string; readonly digest?: string }

const preferencesPage = (call: ConsoleCall, digest: DigestChoice, faults: Faults = {}) => ({
  title: 'Preferences',
  status: Object.keys(faults).length === 0 ? 200 : 422,
  content: (
    <>
      <Heading title="Preferences" />
      <DoneNote call={call} said={{ saved: 'Preferences saved.' }} />
      <RowForm call={call} path={call.pathOf('changePreferences')} class="stack">
        <ZoneField
          name="time_zone"
          label="Time zone"
          isOptional
          value={call.form.get('time_zone') ?? call.staff.ownZone ?? ''}
          hint={`All console times use this time zone. Leave it empty to use each clinic’s own (${call.staff.clinicZone} here).`}
          fault={faults.zone}
        />
        <Select
          name="digest"
          label="Email summary"
          value={digest}
          hint={`What’s waiting for you at ${call.staff.name}, in your time zone: only counts, no patient details. We skip it when nothing is waiting.`}
          options={Object.entries(digestLabels)}
          fault={faults.digest}
        />
        <div class="actions">
          <button class="button">Save</button>
        </div>
      </RowForm>
      <section class="part">
        <h2>Sound</h2>
        <p>Plays a quiet tone in this browser when there’s a new case, order or patient.</p>
        <p class="actions">
          <button type="button" class="button second" data-sound hidden aria-pressed="false">
            Turn on sound
          </button>
        </p>
      </section>
    </>
  ),
})

const whose = ({ staff, session }: ConsoleCall) => ({
  organization: staff.organization,
  person: session.person.id,
})

/** Null for the clinic's time zone. Undefined if the field isn't valid. */
function zoneIn(form: URLSearchParams): string | null | undefined {
  const text = form.get('time_zone')?.trim()
  if (text === '') return null
  return text !== undefined && isTimeZone(text) ? text : undefined
}

function choiceIn(form: URLSearchParams): DigestChoice | undefined {
  const text = form.get('digest') ?? ''
  return isDigestChoice(text) ? text : undefined
}

export const preferenceHandlers = {
  preferences: async ({ pool }, call) =>
    preferencesPage(call, await readDigestChoice(pool, whose(call))),
  changePreferences: async ({ pool }, call) => {
    const [zone, choice] = [zoneIn(call.form), choiceIn(call.form)]
    if (zone === undefined || choice === undefined) {
      return preferencesPage(call, choice ?? (await readDigestChoice(pool, whose(call))), {
        ...(zone === undefined && { zone: zoneFault }),
        ...(choice === undefined && { digest: 'Choose when to get the summary.' }),
      })
    }
    await changeTimeZone(pool, { person: call.session.person.id, zone })
    await chooseDigest(pool, { ...whose(call), choice, zone: zone ?? call.staff.clinicZone })
    return { redirect: call.pathOf('preferences', {}, { done: 'saved' }) }
  },
} satisfies Record<string, ConsoleHandler>
