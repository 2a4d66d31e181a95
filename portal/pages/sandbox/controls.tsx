// The controls of the whole sandbox: its autopilot, its clock, and its reset.
import { limits } from '#contract/limits.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall } from '../../context.ts'
import { RowForm, Time } from '#http/html/parts.tsx'
import { filtersOf } from '../../newest-page.ts'
import type { Faults } from './parts.tsx'

const whenDue = { approve: 'approves', ship: 'ships', deliver: 'delivers' } as const

/** Null: the role of the member may not read the timers. */
export async function AutopilotForm(call: MemberCall, faults: Faults | null) {
  const [timers, next] = [await call.api('getAutopilot'), await call.api('getNextStep')]
  if (timers.problem !== null) return null
  const typed = (name: 'approve_after_s' | 'ship_after_s') =>
    faults === null ? String(timers.value[name] ?? '') : (call.form.get(name) ?? '')
  const { step, case: id, due_at: due } = next.problem === null ? next.value : noStep
  return (
    <section class="part">
      <h2>Autopilot</h2>
      <p class="quiet">
        It decides and ships by itself, at every full minute. A timer that is left empty is off.
      </p>
      <p id="next-step">
        {step !== null && id !== null && due !== null && (
          <>
            Next it {whenDue[step]}{' '}
            <a class="id" href={call.pathOf('sandboxCase', { id })}>
              {id}
            </a>
            , due <Time at={due} /> by the clock of the sandbox.
          </>
        )}
      </p>
      <RowForm call={call} path={call.pathOf('setAutopilot')} class="filters">
        <TimerField name="approve_after_s" label="Approve after, seconds" {...{ typed, faults }} />
        <TimerField
          name="ship_after_s"
          label="Ship, deliver after, seconds"
          {...{ typed, faults }}
        />
        <button class="button second small">Set</button>
      </RowForm>
    </section>
  )
}

const noStep = { step: null, case: null, due_at: null }

type TimerProps = {
  readonly name: 'approve_after_s' | 'ship_after_s'
  readonly label: string
  readonly typed: (name: 'approve_after_s' | 'ship_after_s') => string
  readonly faults: Faults | null
}

const TimerField = ({ name, label, typed, faults }: TimerProps) => (
  <Field
    name={name}
    label={label}
    value={typed(name)}
    fault={faults?.[name]}
    input={{ inputmode: 'numeric', required: false }}
  />
)

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds
const advances = [
  [hourSeconds, '1 hour'],
  [daySeconds, '1 day'],
  [3 * daySeconds, '3 days'],
  [30 * daySeconds, '30 days'],
] as const

/** While the clock is on its way the part reads itself and the cases again, until it has
 *  arrived. */
export async function ClockPart(call: MemberCall, faults: Faults | null) {
  const { problem, value: clock } = { value: null, ...(await call.api('getTestClock')) }
  if (problem !== null || clock === null) return null
  const polling = {
    'hx-get': call.pathOf('sandbox', {}, filtersOf(call, ['status'])),
    'hx-trigger': 'every 1s',
    'hx-select': '#clock',
    'hx-select-oob': '#results,#next-step',
    'hx-swap': 'outerHTML',
  }
  const messages = Object.values(faults ?? {}).filter(text => text !== undefined)
  return (
    <section id="clock" class="part" {...(clock.is_advancing && polling)}>
      <h2>Clock</h2>
      {messages.length > 0 && <Alert>{messages.join(' ')}</Alert>}
      <p>
        It is <Time at={clock.now} /> in the sandbox,{' '}
        {clock.ahead_s === 0 ? 'which is real time.' : `${spanText(clock.ahead_s)} ahead.`}
      </p>
      {clock.is_advancing && clock.target !== null && (
        <p role="status">
          On its way to <Time at={clock.target} />: it waits at each thing that is due until that is
          done. <a href={call.pathOf('sandbox')}>Look again</a>
        </p>
      )}
      <RowForm call={call} path={call.pathOf('setClock')}>
        <div class="row-actions">
          {advances.map(([seconds, label]) => (
            <button key={label} class="button second small" name="advance_by_s" value={seconds}>
              Advance {label}
            </button>
          ))}
          {clock.is_advancing && (
            <button class="button second small" name="resume" value="true">
              Stop here
            </button>
          )}
        </div>
      </RowForm>
      <p class="fine">
        Autopilot, join windows, expiries, the retry schedule and the deletion after 30 days follow
        it; nothing of another sandbox or of live mode does. At most {limits.clockAheadDays} days
        ahead; a reset sets it back.
      </p>
    </section>
  )
}

/** The two greatest units: 3 days 2 hours. */
function spanText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / daySeconds), 'day'],
    [Math.floor((seconds % daySeconds) / hourSeconds), 'hour'],
    [Math.floor((seconds % hourSeconds) / 60), 'minute'],
    [seconds % 60, 'second'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).slice(0, 2)
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ')
}

/** What is typed to confirm a reset. */
export const resetWord = 'reset'

export const ResetForm = ({ call, faults }: { call: MemberCall; faults: Faults | null }) => (
  <section class="part">
    <h2>Reset</h2>
    <details class="confirm" open={faults !== null}>
      <summary class="button second small">Empty the sandbox …</summary>
      <RowForm call={call} path={call.pathOf('resetSandbox')} class="confirm-form">
        <p>
          Deletes every patient, case, visit and file of the sandbox at once, turns the autopilot
          off, and sets the clock back. Keys and webhook endpoints stay. This cannot be undone.
        </p>
        <Field
          name="confirm"
          label={`Type ${resetWord} to confirm`}
          value={faults === null ? '' : (call.form.get('confirm') ?? '')}
          fault={faults?.['confirm']}
        />
        <button class="button danger small">Empty the sandbox</button>
      </RowForm>
    </details>
  </section>
)
