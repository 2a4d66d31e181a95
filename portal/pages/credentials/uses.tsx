// The operations that a credential has called.
import type { OperationUse } from '#auth/operation-uses.ts'
import { Ago, Table } from '#http/html/parts.tsx'

type UsesProps = {
  readonly of: readonly OperationUse[]
  /** The credential's request log, if it has one. */
  readonly log?: string
}

export const Uses = ({ of: uses, log }: UsesProps) => (
  <section>
    <h2>Activity</h2>
    {uses.length === 0 ? (
      <p class="quiet">No requests yet.</p>
    ) : (
      <Table
        caption="Requests by operation"
        head={['Operation', 'Requests', 'Last']}
        rows={uses.map(({ operation, calls, last_at: last }) => [
          <code>{operation}</code>,
          calls,
          <Ago at={last} />,
        ])}
      />
    )}
    {log !== undefined && uses.length > 0 && (
      <p>
        <a href={log}>All requests</a>
      </p>
    )}
  </section>
)
