// A case review: the chart next to the possible actions.
import { localDay } from '#http/html/zone.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { missing, refused, RefusedNote } from '../../refused.tsx'
import { ToActions } from '../../to-actions.tsx'
import { Banner } from './banner.tsx'
import { patientName } from '../patient-name.ts'
import { readAnswers } from '../texts/intake.ts'
import { textsOf } from '../texts/read.ts'
import { Chart } from './chart.tsx'
import type { Review } from './review.ts'
import { ClaimState, claimOnOpen, Status } from './claim.tsx'
import { type FormRefusal, statusOf } from '../../act.ts'
import { confirmationOf } from '../../confirm.tsx'
import { Panels } from './decision-forms.tsx'

export const showCase: ConsoleHandler = (context, call) => casePage(context, call, {})

/** Keeps the URL of the former messages page working. */
export const showThread: ConsoleHandler = async (context, call) =>
  (await call.perform('readChart')).problem
    ? casePage(context, call, {})
    : { redirect: `${call.pathOf('case')}#messages` }

const said: Readonly<Record<string, string>> = {
  claimed: 'Assigned to you.',
  released: 'Released. Others can take this case.',
  signed: 'Plan signed.',
  declined: 'Case declined.',
  asked: 'Question sent. The case is waiting for an answer.',
  written: 'Message sent.',
  dismissed: 'Marked as needing no reply.',
  saved: 'Draft saved.',
  noted: 'Note signed.',
  amended: 'Addendum signed.',
}

export async function casePage(
  context: ConsoleContext,
  call: ConsoleCall,
  given: FormRefusal,
): Promise<PageAnswer> {
  const found = await call.perform('readChart')
  if (found.problem?.code === 'not_found') {
    return missing('Case not found', call.pathOf('queue'), 'Queue')
  }
  if (found.problem) return refused('Case', found.problem)
  const review: Review = await claimOnOpen(call, context.now(), found.value)
  const confirmation = await confirmationOf(context, call, given.fault ?? null)
  const texts = await textsOf(context, call)
  const answers = readAnswers(review.answers, texts)
  const { patient } = review.chart
  const today = localDay(context.now(), call.zone)
  return {
    title: patientName(patient),
    ...statusOf(given),
    content: (
      <>
        <Banner
          call={call}
          today={today}
          patient={patient}
          answers={answers}
          lead={
            <>
              <Status status={review.status} /> <span>From {review.integration.name}</span>
            </>
          }
        />
        <RefusedNote of={given} undone="signed" />
        <DoneNote call={call} />
        <ClaimState call={call} review={review} />
        <ToActions />
        <div class="review">
          <Chart
            call={call}
            review={review}
            answers={answers}
            today={today}
            confirmation={confirmation}
          />
          <Panels call={call} review={review} confirmation={confirmation} texts={texts} />
        </div>
      </>
    ),
  }
}

/** The result of the previous form, on this case or on the previous case. */
function DoneNote({ call }: { call: ConsoleCall }) {
  const { query } = call
  const done = said[query.get('done') ?? '']
  if (done === undefined) return null
  const before = query.get('before')
  return (
    <p class="success" role="status">
      {done}
      {before !== null && (
        <>
          {' '}
          <a href={call.pathOf('case', { id: before })}>View that case</a>
        </>
      )}
      {query.has('last') && ' No cases left to take.'}
    </p>
  )
}
