// The button that claims the oldest unassigned case, and opens it. The page's list and the button
// are refreshed together.
import { RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall } from '../../context.ts'

export const TakeNext = ({ call }: { call: ConsoleCall }) => (
  <div id="take-next">
    {call.query.get('done') === 'empty' && !call.request.headers.has('x-refresh') && (
      <p class="quiet" role="status">
        No cases left to take.
      </p>
    )}
    {call.work?.cases !== 0 && call.mayOpen('takeNext') && (
      <RowForm call={call} path={call.pathOf('takeNext')}>
        <button class="button" data-key="t" data-key-label="Take the next case">
          Take the next case
        </button>
      </RowForm>
    )}
  </div>
)
