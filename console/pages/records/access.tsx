// Who saw or changed a patient's data: staff, the integration, members, agents, the worker.

import { auditText } from '#contract/console/audit-texts.ts'
import { Problem } from '#contract/problems.ts'
import { Badge, Heading, Pager, Table } from '#http/html/parts.tsx'
import { timeIn } from '#http/html/zone.tsx'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import { listFile } from '../../list-file.ts'
import { missing, refused } from '../../refused.tsx'
import { whose } from '../whose.tsx'

type Row = Extract<OperationResult<'listAccess'>, { problem: null }>['value']['data'][number]

const surfaces: Readonly<Record<string, string>> = {
  console: 'Console',
  rest: 'API',
  mcp: 'Agent',
  portal: 'Developer portal',
  worker: 'Platform',
}

const whoOf = ({ surface, name, client, integration }: Row): string =>
  surface === 'console'
    ? (name ?? 'A former staff member')
    : [name, client, integration].filter(Boolean).join(', ') || 'Platform'

const noPatient = (call: ConsoleCall) =>
  missing('Patient not found', call.pathOf('activity'), 'Activity')

const access: ConsoleHandler = async (context, call) => {
  const id = call.names['id'] ?? ''
  const before = call.query.get('before') ?? undefined
  const found = await call.perform('listAccess', { query: { before } })
  if (found.problem?.code === 'not_found') return noPatient(call)
  if (found.problem) return refused('Who saw this patient', found.problem)
  const { data, next } = found.value
  const patient = await whose(context, call)
  return {
    title: 'Who saw this patient',
    content: (
      <>
        <Heading
          title="Who saw this patient"
          lead={patient}
          action={
            <a class="button second" href={call.pathOf('patientAccessCsv', { id })}>
              Download CSV
            </a>
          }
        />
        <p class="hint">
          Every request that opened or changed the patient’s record, and every list that showed
          them, newest first.
        </p>
        {data.length === 0 ? (
          <p class="quiet">No one yet.</p>
        ) : (
          <Table
            caption="Who saw this patient"
            head={['When', 'Where', 'Who', 'What', 'Outcome']}
            rows={data.map(row => cellsOf(row, call.zone))}
          />
        )}
        <Pager
          older={next === null ? null : call.pathOf('patientAccess', { id }, { before: next })}
          newer={before === undefined ? null : call.pathOf('patientAccess', { id })}
          newerText="Latest"
        />
      </>
    ),
  }
}

const cellsOf = (row: Row, zone: string) => [
  <span key="at" class="moment">
    {timeIn(row.at, zone, { seconds: true })}
  </span>,
  surfaces[row.surface] ?? row.surface,
  whoOf(row),
  <>
    {auditText(row.operation)}
    {row.target !== null && (
      <>
        <br />
        <code>{row.target}</code>
      </>
    )}
  </>,
  row.outcome === 'ok' || row.outcome === 'replayed' ? (
    <Badge tone="good">Done</Badge>
  ) : (
    <Badge tone="bad">{`Refused: ${(row.code ?? row.outcome).replaceAll('_', ' ')}`}</Badge>
  ),
]

/** The columns after the time in UTC and in the reader's zone. */
const fileHead = [
  'surface',
  'person',
  'name',
  'client',
  'integration',
  'operation',
  'target',
  'outcome',
  'code',
  'address',
] as const satisfies (keyof Row)[]

const accessCsv: ConsoleHandler = async (_, call) => {
  const { zone } = call
  const cellsIn = (row: Row) => [
    row.at,
    timeIn(row.at, zone, { seconds: true }),
    ...fileHead.map(name => row[name]),
  ]
  const file = await listFile({
    name: 'who-saw.csv',
    head: ['at', zone, ...fileHead],
    read: query => call.perform('listAccess', { query }),
    cellsIn: ({ data }) => data.map(cellsIn),
  })
  if (!(file instanceof Problem)) return file
  return file.code === 'not_found' ? noPatient(call) : refused('Who saw this patient', file)
}

export const accessHandlers = {
  patientAccess: access,
  patientAccessCsv: accessCsv,
} satisfies Record<string, ConsoleHandler>
