// What a credential did: the operations that it called.
import type { OperationUse } from '#auth/operation-uses.ts'
import { Table, Time } from '#http/html/parts.tsx'

type UsesProps = {
  readonly of: readonly OperationUse[]
  /** The log of its calls, where it has one of its own. */
  readonly log?: string
}

export const Uses = ({ of: uses, log }: UsesProps) => (
  <section>
    <h2>What it did</h2>
    {uses.length === 0 ? (
      <p class="quiet">It has called nothing yet.</p>
    ) : (
      <Table
        caption="Operations that it called"
        head={['Operation', 'Calls', 'Last']}
        rows={uses.map(({ operation, calls, last_at: last }) => [
          <code>{operation}</code>,
          calls,
          <Time at={last} />,
        ])}
      />
    )}
    {log !== undefined && uses.length > 0 && (
      <p>
        <a href={log}>Its calls, one by one</a>
      </p>
    )}
  </section>
)
