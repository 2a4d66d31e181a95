// The banner that stays above a chart: who the patient is, and what is dangerous to overlook.
import type { ChartPatient } from '#contract/console/patients.ts'
import { ageText } from '../patient-facts.tsx'
import { statusText } from '../../words.ts'
import type { ConsoleCall } from '../../context.ts'
import type { Static } from 'typebox'
import { type BannerSlot, bmiOf, type ReadAnswer } from '../texts/intake.ts'

type Props = {
  readonly call: ConsoleCall
  readonly now: number
  readonly patient: Static<typeof ChartPatient>
  readonly answers: readonly ReadAnswer[]
}

const shown = ['Allergies', 'Current medications', 'Pregnancy', 'Alerts'] as const

export function Banner({ call, now, patient, answers }: Props) {
  const bmi = bmiOf(answers)
  const { state } = patient.address
  const isLicensed = call.staff.states.includes(state)
  return (
    <section class="banner" aria-label="Patient">
      <p class="banner-who">
        <strong>
          <a href={call.pathOf('patient', { id: patient.id })}>
            {patient.first_name} {patient.last_name}
          </a>
        </strong>
        <span>{ageText(patient.date_of_birth, now)}</span>
        <span>{statusText(patient.sex_at_birth)} at birth</span>
        <span class={call.mayOpen('approve') && !isLicensed ? 'alarm' : undefined}>
          {state}
          {call.mayOpen('approve') && (isLicensed ? ' (licensed)' : ' (not licensed)')}
        </span>
        {bmi !== null && <span>BMI {bmi}</span>}
      </p>
      <dl class="banner-facts">
        {shown
          .filter(slot => slot !== 'Alerts' || textOf(answers, slot).isTelling)
          .filter(slot => slot !== 'Pregnancy' || patient.sex_at_birth !== 'male')
          .map(slot => {
            const { text, isTelling } = textOf(answers, slot)
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

/** What was answered, in the patient's words. */
function textOf(answers: readonly ReadAnswer[], slot: BannerSlot) {
  const own = answers.filter(one => one.slot === slot)
  const telling = own.filter(one => one.isTelling)
  const isYes = ({ answer }: ReadAnswer) => /^(?:yes|true)[.!]?$/i.test(answer.trim())
  const text = telling.map(one => (isYes(one) ? `${one.question} Yes` : one.answer)).join('; ')
  if (telling.length > 0) return { text, isTelling: true }
  const [first] = own
  return { text: first === undefined ? 'Not asked' : first.answer || 'No answer', isTelling: false }
}
