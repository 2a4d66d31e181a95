// Controls for the whole sandbox: autopilot, clock and reset.
import { limits } from '#contract/limits.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall } from '../../context.ts'
import { RowForm, Time } from '#http/html/parts.tsx'
import { refreshing } from '../../frame/refreshing.ts'
import { filtersOf } from '../../newest-page.ts'
import { spanText } from '../../sandbox-strip.tsx'
import type { Faults } from './parts.tsx'

const whenDue = { approve: 'approve', ship: 'ship', deliver: 'deliver' } as const

/** Null if the member’s role can’t read the timers. */
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
        Approves and ships for you, once a minute. Leave a timer empty to turn it off.
      </p>
      <p id="next-step">
        {step !== null && id !== null && due !== null && (
          <>
            Next step: {whenDue[step]}{' '}
            <a class="id" href={call.pathOf('sandboxCase', { id })}>
              {id}
            </a>
            , due <Time at={due} clock="sandbox" /> sandbox time.
          </>
        )}
      </p>
      <RowForm call={call} path={call.pathOf('setAutopilot')} class="filters">
        <TimerField name="approve_after_s" label="Approve after (seconds)" {...{ typed, faults }} />
        <TimerField name="ship_after_s" label="Ship after (seconds)" {...{ typed, faults }} />
        <button class="button second small">Save</button>
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

/** While the clock is advancing, this part and the cases refresh themselves. */
export async function ClockPart(call: MemberCall, faults: Faults | null) {
  const { problem, value: clock } = { value: null, ...(await call.api('getTestClock')) }
  if (problem !== null || clock === null) return null
  const polling = {
    ...refreshing('clock', call.pathOf('sandbox', {}, filtersOf(call, ['status'])), 1),
    'hx-select-oob': '#results:outerMorph,#next-step:outerMorph,#sandbox-strip:outerMorph',
  }
  const messages = Object.values(faults ?? {}).filter(text => text !== undefined)
  return (
    <section id="clock" class="part" {...(clock.is_advancing && polling)}>
      <h2>Clock</h2>
      {messages.length > 0 && <Alert>{messages.join(' ')}</Alert>}
      <p>
        Sandbox time is <Time at={clock.now} clock="sandbox" />,{' '}
        {clock.ahead_s === 0
          ? 'the same as real time.'
          : `${spanText(clock.ahead_s * 1000)} ahead.`}
      </p>
      {clock.is_advancing && clock.target !== null && (
        <p role="status">
          Advancing to <Time at={clock.target} clock="sandbox" />, one due step at a time.{' '}
          <a href={call.pathOf('sandbox')}>Refresh</a>
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
        The autopilot, visit windows, expirations, webhook retries and 30-day deletion follow this
        clock. Other sandboxes and live mode don’t. Up to{' '}
        {limits.clockAheadDays.toLocaleString('en-US')} days ahead; resetting the sandbox sets it
        back.
      </p>
    </section>
  )
}

/** Typed to confirm a reset. */
export const resetWord = 'reset'

export const ResetForm = ({ call, faults }: { call: MemberCall; faults: Faults | null }) => (
  <section class="part" id="reset">
    <h2>Reset</h2>
    <details class="confirm" open={faults !== null}>
      <summary class="button second small">Reset sandbox</summary>
      <RowForm call={call} path={call.pathOf('resetSandbox')} class="confirm-form">
        <p>
          Deletes every sandbox patient, case, visit and file, turns off autopilot, and resets the
          clock to real time. Your keys and endpoints are kept. You can’t undo this.
        </p>
        <Field
          name="confirm"
          label={`Type ${resetWord} to confirm`}
          value={faults === null ? '' : (call.form.get('confirm') ?? '')}
          fault={faults?.['confirm']}
        />
        <button class="button danger small">Reset sandbox</button>
      </RowForm>
    </details>
  </section>
)
