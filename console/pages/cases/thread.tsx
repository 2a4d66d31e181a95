// A case's messages on a page of their own, with room for one more. The page reads them again when
// the person returns to the window, never by a timer, which would keep a session from locking.
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

const said = { written: 'Message sent.' }

export const showThread: ConsoleHandler = (_, call) => threadPage(call, null)

export const writeOnThread = act({
  operation: 'writeMessage',
  page: 'thread',
  said: 'written',
  show: threadPage,
  body: form => ({ body: textOf(form, 'body') }),
})

/** `problem`: why the message was refused, if one was sent. */
async function threadPage(call: ConsoleCall, problem: Problem | null): Promise<PageAnswer> {
  const found = await call.perform('readChart')
  if (found.problem?.code === 'not_found') {
    return missing('Case not found', call.pathOf('queue'), 'Queue')
  }
  if (found.problem) return refused('Messages', found.problem)
  const review = found.value
  const { first_name, last_name } = review.chart.patient
  const path = call.pathOf('thread', { id: review.id })
  return {
    title: `Messages with ${first_name} ${last_name}`,
    ...(problem && { status: problems[problem.code].status }),
    content: (
      <>
        <Heading
          title="Messages"
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
