// The review of a case: what is known beside what can be done.
import { problems, type Problem } from '#contract/problems.ts'
import { Heading } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { DoneNote } from '../../done.tsx'
import { missing, ProblemNote, refused } from '../../refused.tsx'
import { ToActions } from '../../to-actions.tsx'
import { Acts } from './decision-forms.tsx'
import { Chart, type Review } from './chart.tsx'
import { ClaimState, Status } from './claim.tsx'

export const showCase: ConsoleHandler = (_, call) => casePage(call, null)

const said: Readonly<Record<string, string>> = {
  claimed: 'The case is yours until the time below.',
  released: 'The case is open to others.',
  signed: 'The plan is signed.',
  declined: 'The case is declined.',
  asked: 'The question is sent. The case waits for the answer.',
  written: 'The message is sent.',
}

/** `problem`: why the form that was sent was refused. */
export async function casePage(call: ConsoleCall, problem: Problem | null): Promise<PageAnswer> {
  const found = await call.perform('readChart')
  if (found.problem?.code === 'not_found') {
    return missing('There is no such case', call.pathOf('queue'), 'The queue')
  }
  if (found.problem) return refused('Case', found.problem)
  const review: Review = found.value
  const { patient } = review.chart
  const name = `${patient.first_name} ${patient.last_name}`
  return {
    title: name,
    ...(problem && { status: problems[problem.code].status }),
    content: (
      <>
        <Heading
          title={name}
          lead={
            <>
              <Status status={review.status} /> <span>Filed by {review.integration.name}</span>
            </>
          }
        />
        <ProblemNote problem={problem} />
        <DoneNote call={call} said={said} />
        <ClaimState call={call} review={review} />
        <ToActions />
        <div class="review">
          <Chart call={call} review={review} />
          <Acts call={call} review={review} />
        </div>
      </>
    ),
  }
}
