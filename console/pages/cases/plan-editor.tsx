// The plan's lines, pre-filled from the request, and space for one more.
import { limits } from '#contract/limits.ts'
import { Field, Select } from '#http/html/fields.tsx'
import type { ConsoleCall } from '../../context.ts'
import type { Review } from './review.ts'
import { medicationOptions } from '../medications.ts'
import { emptyLine, fieldOf, isNeverFilled, lineOfRequest, linesOf, type PlanLine } from './plan.ts'

export function PlanEditor({ call, review }: { call: ConsoleCall; review: Review }) {
  const sent = call.row === 'approve' ? linesOf(call.form) : []
  const lines = sent.length > 0 ? sent : review.requested_medications.map(lineOfRequest)
  const isFull = lines.length >= limits.planLinesMax || lines.at(-1)?.medication_id === ''
  return (
    <>
      <p class="hint">
        Pre-filled from the request. Set a medication to None to remove it. We don’t check for drug
        interactions, so review the plan against the medications and allergies in the banner.
      </p>
      {lines.map((line, at) => (
        <Line key={at} at={at} line={line} />
      ))}
      {!isFull && (
        <details>
          <summary>Add a medication</summary>
          <Line at={lines.length} line={emptyLine} />
        </details>
      )}
    </>
  )
}

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
