// The button that claims the oldest case no one works on, and opens it.
import { RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall } from '../../context.ts'

export const TakeNext = ({ call }: { call: ConsoleCall }) => (
  <>
    {call.query.get('done') === 'empty' && (
      <p class="quiet" role="status">
        No cases left to take.
      </p>
    )}
    {call.mayOpen('takeNext') && (
      <RowForm call={call} path={call.pathOf('takeNext')}>
        <button class="button" data-key="t" data-key-label="Take the next case">
          Take the next case
        </button>
      </RowForm>
    )}
  </>
)
