// Exports of all patients' records as FHIR files, for one integration at a time.

import { ndjsonMime } from '#contract/fhir/bulk.ts'
import { Problem } from '#contract/problems.ts'
import { Confirm, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { act, type Show, statusOf } from '../../act.ts'
import { type Confirmation, ConfirmationFields, confirmationOf } from '../../confirm.tsx'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { missing, refused, RefusedNote } from '../../refused.tsx'

type Row = Extract<OperationResult<'listBulkExports'>, { problem: null }>['value']['data'][number]
type Props = { readonly call: ConsoleCall; readonly confirmation: Confirmation | null }

const said = {
  started: 'Export started. Reload the page to see its progress.',
  deleted: 'Export deleted.',
}

const exportsPage: Show = async (context, call, given) => {
  const found = await call.perform('listBulkExports', { id: null })
  if (found.problem) return refused('FHIR export', found.problem)
  const { data } = found.value
  const confirmation = await confirmationOf(context, call, given.fault ?? null)
  return {
    title: 'FHIR export',
    ...statusOf(given),
    content: (
      <>
        <Heading
          title="FHIR export"
          lead="Every patient’s records as FHIR R4 files (NDJSON), one integration at a time."
        />
        <DoneNote call={call} said={said} />
        <RefusedNote of={given} />
        <p class="hint">
          We can’t protect files once you download them. For one patient, open their record and
          export it there.
        </p>
        {data.length === 0 && <p class="quiet">No integrations yet.</p>}
        {data.map(row => (
          <Integration call={call} confirmation={confirmation} row={row} />
        ))}
      </>
    ),
  }
}

function Integration({ call, confirmation, row }: Props & { readonly row: Row }) {
  const { integration, export: newest } = row
  const start = call.pathOf('startBulkExport', { id: integration.id })
  return (
    <section>
      <h2>{integration.name}</h2>
      {newest !== null && <Newest call={call} newest={newest} />}
      {newest?.status !== 'running' && (
        <RowForm call={call} path={start} class="stack">
          <ConfirmationFields
            call={call}
            of={confirmation}
            name="startBulkExport"
            id={integration.id}
            isSent={call.row === 'startBulkExport' && call.names['id'] === integration.id}
          />
          <div class="actions">
            <button class="button second">
              {newest === null ? 'Start export' : 'Start new export'}
            </button>
          </div>
        </RowForm>
      )}
    </section>
  )
}

type NewestProps = { readonly call: ConsoleCall; readonly newest: NonNullable<Row['export']> }

function Newest({ call, newest }: NewestProps) {
  const { id, status, created_at, expires_at, started_by, files } = newest
  const count = files.reduce((sum, file) => sum + file.count, 0).toLocaleString('en-US')
  const path = call.pathOf('deleteBulkExport', { id })
  return (
    <>
      <p>
        {status === 'running' && `Running: ${count} resources so far. `}
        {status === 'completed' && `Completed: ${count} resources. `}
        {status === 'failed' && 'Failed. Start another export. '}
        Started by {started_by}, <Time at={created_at} />. Files expire <Time at={expires_at} />.
      </p>
      {status === 'completed' && files.length > 0 && (
        <Table
          caption="Files"
          head={['Type', 'Resources', 'File']}
          rows={files.map(file => [
            file.type,
            file.count.toLocaleString('en-US'),
            <a key="file" href={call.pathOf('downloadBulkFile', { id: file.id })}>
              Download
            </a>,
          ])}
        />
      )}
      {status === 'running' ? (
        <RowForm call={call} path={path}>
          <button class="button second small">Cancel export</button>
        </RowForm>
      ) : (
        <Confirm
          call={call}
          path={path}
          label="Delete files"
          question="This deletes the files. You can start a new export."
          action="Delete files"
        />
      )}
    </>
  )
}

const download: ConsoleHandler = async (_, call) => {
  const content = await call.open('downloadBulkFile')
  if (content instanceof Problem)
    return content.code === 'not_found'
      ? missing('File not found', call.pathOf('bulkExports'), 'FHIR export')
      : refused('FHIR export', content)
  return { file: { name: `${call.names['id'] ?? ''}.ndjson`, type: ndjsonMime, content } }
}

const common = { page: 'bulkExports', show: exportsPage } as const

export const bulkExportHandlers = {
  bulkExports: (context, call) => exportsPage(context, call, {}),
  startBulkExport: act({ ...common, operation: 'startBulkExport', said: 'started' }),
  deleteBulkExport: act({ ...common, operation: 'deleteBulkExport', said: 'deleted' }),
  downloadBulkFile: download,
} satisfies Record<string, ConsoleHandler>
