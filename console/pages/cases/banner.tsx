// A chart's sticky heading: who the patient is, and what would be dangerous to overlook.
import type { ChartPatient } from '#contract/console/patients.ts'
import { bornText, patientName } from '../patient-name.ts'
import { statusText } from '#http/html/status-text.ts'
import type { ConsoleCall } from '../../context.ts'
import type { ComponentChildren } from 'preact'
import type { Static } from 'typebox'
import { bmiOf, type ReadAnswer, slotText } from '../texts/intake.ts'

type Props = {
  readonly call: ConsoleCall
  readonly today: Temporal.PlainDate
  readonly patient: Static<typeof ChartPatient>
  readonly answers: readonly ReadAnswer[]
  /** The page's own text about the patient. */
  readonly lead: ComponentChildren
}

const shown = ['Allergies', 'Current medications', 'Pregnancy', 'Alerts'] as const

export function Banner({ call, today, patient, answers, lead }: Props) {
  const bmi = bmiOf(answers)
  const { state } = patient.address
  const isLicensed = call.staff.states.includes(state)
  return (
    <section class="banner" aria-label="Patient">
      <div class="banner-name">
        <h1>
          <a href={call.pathOf('patient', { id: patient.id })}>{patientName(patient)}</a>
        </h1>
        <p class="quiet">{lead}</p>
      </div>
      <p class="banner-who">
        <span>{bornText(patient.date_of_birth, today)}</span>
        <span>{statusText(patient.sex_at_birth)} at birth</span>
        <span class={call.mayOpen('approve') && !isLicensed ? 'alarm' : undefined}>
          {state}
          {call.mayOpen('approve') && (isLicensed ? ' (licensed)' : ' (not licensed)')}
        </span>
        {bmi !== null && <span>BMI {bmi}</span>}
      </p>
      <dl class="banner-facts">
        {shown
          .filter(slot => slot !== 'Alerts' || slotText(answers, slot).isTelling)
          .filter(slot => slot !== 'Pregnancy' || patient.sex_at_birth !== 'male')
          .map(slot => {
            const { text, isTelling } = slotText(answers, slot)
            return (
              <div key={slot}>
                <dt>{slot}</dt>
                <dd class={isTelling && slot !== 'Current medications' ? 'alarm' : undefined}>
                  {text}
                </dd>
              </div>
            )
          })}
      </dl>
    </section>
  )
}
