// The row for answers to “Was this page helpful?”.
import { Type } from 'typebox'
import { feedbackAnswers, siteLimits } from '../limits.ts'
import { named, oneOf, text } from '../shapes.ts'
import { defineSite } from './operation.ts'

const members = {
  page: text(1, siteLimits.pathCharacters, {
    description: 'The path of a page on this site.',
    examples: ['/docs/webhooks'],
  }),
  answer: oneOf(feedbackAnswers, {
    description:
      '`yes` if the page helped. Otherwise why not: something is `missing`, `unclear` or `wrong`, or the page is about something `other`.',
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
    description: `Adds one to the count for the page, the answer and the day. Nothing else is stored: no IP address, no user agent, no text. Limited to ${siteLimits.feedbackPerHour} answers per hour from one IP address. A browser form is redirected back to the page. Pages on other sites cannot send answers.`,
    body: Type.Object(members, { additionalProperties: false }),
    answers: [
      {
        status: 200,
        description: 'Counted.',
        content: {
          'application/json': {
            schema: named('Feedback', 'The answer that was counted.', members),
            example: counted,
          },
        },
      },
      {
        status: 303,
        description: 'Counted, with a redirect to the page with the form.',
        content: {},
      },
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
