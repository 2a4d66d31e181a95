// The thread of a case on a page of its own: what patient, integration and clinic wrote, and room
// for a message. It is read again when the person comes back to the window, and by no timer: a page
// that asks by itself would keep a session from being locked.
import { problems, type Problem } from '#contract/problems.ts'
import { Heading } from '#http/html/parts.tsx'
import { act, textOf } from '../../act.ts'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { DoneNote } from '../../done.tsx'
import { missing, ProblemNote, refused } from '../../refused.tsx'
import { isWritable, MessageForm } from './decision-forms.tsx'
import { Messages } from './chart.tsx'
import { Status } from './claim.tsx'

const said = { written: 'The message is sent.' }

export const showThread: ConsoleHandler = (_, call) => threadPage(call, null)

export const writeOnThread = act({
  operation: 'writeMessage',
  page: 'thread',
  said: 'written',
  show: threadPage,
  body: form => ({ body: textOf(form, 'body') }),
})

/** `problem`: why the message was refused. */
async function threadPage(call: ConsoleCall, problem: Problem | null): Promise<PageAnswer> {
  const found = await call.perform('readChart')
  if (found.problem?.code === 'not_found') {
    return missing('There is no such case', call.pathOf('queue'), 'The queue')
  }
  if (found.problem) return refused('Thread', found.problem)
  const review = found.value
  const { first_name, last_name } = review.chart.patient
  const path = call.pathOf('thread', { id: review.id })
  return {
    title: `Thread of ${first_name} ${last_name}`,
    ...(problem && { status: problems[problem.code].status }),
    content: (
      <>
        <Heading
          title="Thread"
          lead={
            <>
              <a href={call.pathOf('case', { id: review.id })}>
                {first_name} {last_name}
              </a>{' '}
              <Status status={review.status} />
            </>
          }
        />
        <ProblemNote problem={problem} />
        <DoneNote call={call} said={said} />
        <div
          id="thread"
          hx-get={path}
          hx-trigger="focus from:window"
          hx-select="#thread"
          hx-swap="outerHTML"
        >
          <Messages review={review} />
        </div>
        {call.mayOpen('writeOnThread') && isWritable(review) && (
          <MessageForm
            call={call}
            review={review}
            path={call.pathOf('writeOnThread', { id: review.id })}
          />
        )}
      </>
    ),
  }
}
