// The plan's lines, pre-filled from the request, and space for more.
import { limits } from '#contract/limits.ts'
import { Field, Select } from '#http/html/fields.tsx'
import type { ConsoleCall } from '../../context.ts'
import type { Review } from './review.ts'
import { medicationOptions } from '../medications.ts'
import { emptyLine, fieldOf, isNeverFilled, lineOfRequest, linesOf, type PlanLine } from './plan.ts'

/** How many lines a page can add to the plan. */
const addedMax = 4

export function PlanEditor({ call, review }: { call: ConsoleCall; review: Review }) {
  const requested = review.requested_medications.map(lineOfRequest)
  const sent = call.row === 'approve' ? linesOf(call.form) : []
  const used = sent.findLastIndex(({ medication_id }) => medication_id !== '') + 1
  const lines = sent.length > 0 ? sent.slice(0, Math.max(used, requested.length)) : requested
  const left = Math.min(addedMax, limits.planLinesMax - lines.length)
  return (
    <>
      <p class="hint">
        Pre-filled from the request. Set a medication to None to remove it. We don’t check for drug
        interactions, so review the plan against the medications and allergies in the banner.
      </p>
      {lines.map((line, at) => (
        <Line key={at} at={at} line={line} />
      ))}
      {left > 0 && <Added at={lines.length} left={left} />}
    </>
  )
}

/** Each added line offers another. */
const Added = ({ at, left }: { at: number; left: number }) => (
  <details>
    <summary>Add a medication</summary>
    <Line at={at} line={emptyLine} />
    {left > 1 && <Added at={at + 1} left={left - 1} />}
  </details>
)

function Line({ at, line }: { at: number; line: PlanLine }) {
  const number = (name: 'quantity' | 'refills' | 'days_supply', label: string) => (
    <Field
      name={fieldOf(at, name)}
      label={label}
      value={line[name]}
      input={{ inputmode: 'numeric', required: false }}
    />
  )
  return (
    <fieldset class="plan-line">
      <legend class="hidden">Line {at + 1}</legend>
      <Select
        name={fieldOf(at, 'medication_id')}
        label={`Medication ${at + 1}`}
        value={line.medication_id}
        options={[['', 'None'], ...medicationOptions]}
      />
      <div class="numbers">
        {number('quantity', 'Quantity')}
        {number('refills', 'Refills')}
        {number('days_supply', 'Days’ supply')}
      </div>
      <Field
        name={fieldOf(at, 'directions')}
        label="Directions"
        value={line.directions}
        input={{ required: false }}
      />
      <div class="choice">
        <input
          type="checkbox"
          name={fieldOf(at, 'dispensable')}
          id={fieldOf(at, 'dispensable')}
          value="1"
          checked={line.dispensable}
        />
        <label for={fieldOf(at, 'dispensable')}>
          Send to pharmacy{' '}
          <span class="fine">
            {isNeverFilled(line.medication_id)
              ? 'The pharmacy never fills this medication, so it’s only recorded.'
              : 'Uncheck to record this item without filling it.'}
          </span>
        </label>
      </div>
    </fieldset>
  )
}
