// The form that exports a patient's record.
import { recordLimits } from '#contract/console/records.ts'
import { Field, TextArea } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { type Confirmation, ConfirmationFields } from '../../confirm.tsx'
import type { ConsoleCall } from '../../context.ts'

type Props = {
  readonly call: ConsoleCall
  readonly id: string
  readonly confirmation: Confirmation | null
}

export const ExportForm = ({ call, id, confirmation }: Props) => (
  <section>
    <h2>Export</h2>
    <RowForm call={call} path={call.pathOf('exportRecord', { id })} class="stack">
      <p class="hint">
        Downloads a ZIP archive with the whole record, as a page, as JSON and as FHIR R4, and every
        scanned document. We can’t protect the file once you download it: give it to the recipient
        and don’t keep a copy. We record the disclosure.
      </p>
      <Field
        name="recipient"
        label="Recipient"
        value={call.form.get('recipient') ?? ''}
        input={{ maxLength: recordLimits.recipientMax }}
      />
      <TextArea name="purpose" label="Purpose" value={call.form.get('purpose') ?? ''} />
      <ConfirmationFields call={call} of={confirmation} name="exportRecord" />
      <div class="actions">
        <button class="button second">Export record</button>
      </div>
    </RowForm>
  </section>
)
