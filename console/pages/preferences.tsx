// What a person sets for themselves: the time zone of every page.
import { changeTimeZone } from '#auth/accounts/own-account.ts'
import { isTimeZone } from '#auth/clinics/settings.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../context.ts'
import { DoneNote } from '../done.tsx'
import { ZoneField, zoneFault } from '../zone-field.tsx'

const preferencesPage = (call: ConsoleCall, fault?: string) => ({
  title: 'Preferences',
  status: fault === undefined ? 200 : 422,
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
          hint={`Every time in the console is in this zone. Leave it empty to use each clinic’s; here that’s ${call.staff.clinicZone}.`}
          fault={fault}
        />
        <div class="actions">
          <button class="button">Save</button>
        </div>
      </RowForm>
      <section class="part">
        <h2>Sound</h2>
        <p>A quiet tone in this browser when there’s new work: a case, an order or a patient.</p>
        <p class="actions">
          <button type="button" class="button second" data-sound hidden aria-pressed="false">
            Turn on sound
          </button>
        </p>
      </section>
    </>
  ),
})

export const preferenceHandlers = {
  preferences: (_, call) => preferencesPage(call),
  changePreferences: async ({ pool }, call) => {
    const zone = (call.form.get('time_zone') ?? '').trim() || null
    if (zone !== null && !isTimeZone(zone)) return preferencesPage(call, zoneFault)
    await changeTimeZone(pool, { person: call.session.person.id, zone })
    return { redirect: call.pathOf('preferences', {}, { done: 'saved' }) }
  },
} satisfies Record<string, ConsoleHandler>
