// The row of the answers to “Was this page helpful?”.
import { Type } from 'typebox'
import { feedbackAnswers, siteLimits } from '../limits.ts'
import { named, oneOf, text } from '../shapes.ts'
import { defineSite } from './operation.ts'

const members = {
  page: text(1, siteLimits.pathCharacters, {
    description: 'The path of a page of this site.',
    examples: ['/docs/webhooks'],
  }),
  answer: oneOf(feedbackAnswers, {
    description:
      '`yes`: it helped. Otherwise why not: something is `missing`, `unclear` or `wrong`, or the page is about something `other`.',
  }),
}
const counted = { page: '/pricing', answer: 'yes' }

export const feedbackOperations = defineSite({
  sendFeedback: {
    method: 'POST',
    path: '/api/feedback',
    tag: 'Feedback',
    form: 'problem',
    summary: 'Say whether a page helped.',
    description: `Adds one to a number for the page, the answer and the day. Nothing else is stored: no address, no program, no text. At most ${siteLimits.feedbackPerHour} answers an hour from one IP address. A form that a browser sends is answered with a redirect to the page. Pages of other sites may not send answers.`,
    body: Type.Object(members, { additionalProperties: false }),
    answers: [
      {
        status: 200,
        description: 'It was counted.',
        content: {
          'application/json': {
            schema: named('Feedback', 'The answer that was counted.', members),
            example: counted,
          },
        },
      },
      { status: 303, description: 'It was counted; the page of the form is next.', content: {} },
    ],
    refuses: ['invalid_request', 'cross_site_request', 'unsupported_media_type'],
    examples: {
      helped: { summary: 'The page helped', body: counted, status: 200 },
      unclear: {
        summary: 'The page is hard to follow',
        body: { page: '/pricing', answer: 'unclear' },
        status: 200,
      },
      unknown_page: {
        summary: 'A page that does not exist',
        body: { page: '/no-such-page', answer: 'yes' },
        status: 400,
      },
    },
  },
})
