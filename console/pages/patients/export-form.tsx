// The form that exports the record of a patient.
import { recordLimits } from '#contract/console/records.ts'
import { Field, TextArea } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall } from '../../context.ts'

export const ExportForm = ({ call, id }: { call: ConsoleCall; id: string }) => (
  <section>
    <h2>Export</h2>
    <RowForm call={call} path={call.pathOf('exportRecord', { id })}>
      <p class="hint">
        A ZIP archive with the whole record, as a page to read and as JSON, and every document that
        was scanned. It leaves the protection of this platform: hand it to whom it is for, and keep
        no copy. The disclosure is entered in the record.
      </p>
      <Field
        name="recipient"
        label="For whom"
        value={call.form.get('recipient') ?? ''}
        input={{ maxLength: recordLimits.recipientMax }}
      />
      <TextArea name="purpose" label="Purpose" value={call.form.get('purpose') ?? ''} />
      <button class="button second">Export the record</button>
    </RowForm>
  </section>
)
