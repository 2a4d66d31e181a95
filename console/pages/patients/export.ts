// Exports a patient's record as a file, and logs its recipient as a disclosure. The disclosure is
// logged once the file exists, and the file is sent after that.
import { Problem } from '#contract/problems.ts'
import { localDay } from '#http/html/zone.tsx'
import { confirmed, textOf } from '../../act.ts'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import { patientPage } from './patient.tsx'

/** After a download, the page and its form stay. Another recipient is another disclosure, and the
 *  same one may download the file again. */
function onceFor({ form }: ConsoleCall, body: object): string | null {
  const once = form.get('once')
  if (once === null) return null
  const entries = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('base64url')
  return `${once}-${entries}`
}

const download: ConsoleHandler = async (context, call) => {
  const opened = await call.open('exportRecord')
  if (opened instanceof Problem) return patientPage(context, call, { problem: opened })
  const body = {
    disclosed_on: localDay(context.now(), call.staff.clinicZone).toString(),
    recipient: textOf(call.form, 'recipient'),
    description: 'The whole record with its documents, exported as a file.',
    purpose: textOf(call.form, 'purpose'),
  }
  const entered = await call.perform('addDisclosure', { body, once: onceFor(call, body) })
  if (entered.problem) return patientPage(context, call, { problem: entered.problem })
  const name = `record-${call.names['id'] ?? ''}.zip`
  return { file: { name, type: 'application/zip', content: opened } }
}

export const exportRecord = confirmed(patientPage, download)
