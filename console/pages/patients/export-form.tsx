// The form that exports the record of a patient.
import { RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall } from '../../context.ts'

export const ExportForm = ({ call, id }: { call: ConsoleCall; id: string }) => (
  <section>
    <h2>Export</h2>
    <RowForm call={call} path={call.pathOf('exportRecord', { id })}>
      <p class="hint">
        A ZIP archive with the whole record, as a page to read and as JSON, and every document that
        was scanned. It leaves the protection of this platform: hand it to whom it is for, and keep
        no copy.
      </p>
      <button class="button second">Export the record</button>
    </RowForm>
  </section>
)
