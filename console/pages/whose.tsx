// The patient whose record a page shows, by name if the reader may open it.
import { localDay } from '#http/html/zone.tsx'
import { bornText, patientName } from './patient-name.ts'
import type { ConsoleCall, ConsoleContext } from '../context.ts'

/** A link with name, date of birth and age, or the ID for someone who can't read charts. */
export async function whose(
  { now }: ConsoleContext,
  call: ConsoleCall,
  id = call.names['id'] ?? '',
) {
  const found = call.mayOpen('patient') ? await call.perform('readPatient', { id }) : null
  if (found === null || found.problem) return <code>{id}</code>
  const { date_of_birth } = found.value
  return (
    <a href={call.pathOf('patient', { id })}>
      {patientName(found.value)}, {bornText(date_of_birth, localDay(now(), call.zone))}
    </a>
  )
}
