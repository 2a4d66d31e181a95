// The two steps of a removal, for the records role.
import { Hidden, TextArea } from '#http/html/fields.tsx'
import { Facts, RowForm, Time } from '#http/html/parts.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { type Confirmation, ConfirmationFields } from '../../confirm.tsx'
import type { ConsoleCall } from '../../context.ts'
import type { StaffFile } from './state.tsx'

type Props = {
  readonly call: ConsoleCall
  readonly file: StaffFile
  readonly confirmation: Confirmation | null
}

export function RemovalForms({ call, file, confirmation }: Props) {
  return (
    <>
      {file.removal !== null && (
        <section>
          <h2>Removal</h2>
          <Facts
            of={[
              ['Requested by', file.removal.by.name],
              ['Requested', <Time key="asked" at={file.removal.at} />],
              [
                'Reason',
                <span key="reason" class="lines">
                  {file.removal.reason}
                </span>,
              ],
              ...(file.removed === null
                ? []
                : ([
                    ['Confirmed by', file.removed.by.name],
                    ['Removed', <Time key="removed" at={file.removed.at} />],
                  ] as const)),
            ]}
          />
        </section>
      )}
      {file.removed === null && call.mayOpen('requestRemoval') && (
        <Forms call={call} file={file} confirmation={confirmation} />
      )}
    </>
  )
}

const Version = ({ file }: Pick<Props, 'file'>) => <Hidden name="version" value={file.updated_at} />

const Forms = ({ call, file, confirmation }: Props) =>
  file.removal === null ? (
    <details open={call.row === 'requestRemoval'}>
      <summary>Remove</summary>
      <RowForm call={call} path={call.pathOf('requestRemoval', { id: file.id })}>
        <Version file={file} />
        <TextArea
          name="reason"
          label="Reason"
          hint="Kept in the patient’s record. Someone still has to confirm the removal."
          value={typedIn(call, 'requestRemoval', 'reason') ?? ''}
        />
        <ConfirmationFields call={call} of={confirmation} name="requestRemoval" />
        <button class="button second">Request removal</button>
      </RowForm>
    </details>
  ) : (
    <>
      <RowForm call={call} path={call.pathOf('confirmRemoval', { id: file.id })}>
        <Version file={file} />
        <p class="hint">
          You can’t undo this. We delete the content, links stop working, and the integration loses
          access to the document. The record still shows that it existed.
        </p>
        <ConfirmationFields call={call} of={confirmation} name="confirmRemoval" />
        <button class="button danger">Remove document</button>
      </RowForm>
      <RowForm call={call} path={call.pathOf('cancelRemoval', { id: file.id })}>
        <Version file={file} />
        <button class="button second">Keep document</button>
      </RowForm>
    </>
  )
