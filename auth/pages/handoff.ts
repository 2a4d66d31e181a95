// Sends a signed-in person back to the portal or the console, with a code for a session there.
import type { HandoffOrigin } from '../accounts/handoffs.ts'
import type { OpenHandler } from './context.ts'
import { targetOf } from './forms.ts'
import { returningTo, stepBefore } from './steps.ts'

const isHandoffOrigin = (name: string | null): name is HandoffOrigin =>
  name === 'portal' || name === 'console'

/**
 * Query parameters: `to` is the origin, `browser` is the SHA-256 (base64url) of the browser's value
 * there, `next` is the path to continue to, and `fresh` requires a second factor from the last five
 * minutes.
 */
export const handOff: OpenHandler = async (context, call) => {
  const { query, session, back } = call
  const to = query.get('to')
  const url = isHandoffOrigin(to) ? context.handoffUrls[to] : undefined
  const browser = Buffer.from(query.get('browser') ?? '', 'base64url')
  if (!isHandoffOrigin(to) || url === undefined || browser.length !== 32) {
    const from = to === 'console' && url !== undefined ? 'console' : 'portal'
    return {
      failure: {
        status: 400,
        title: 'This link is incomplete',
        text: `Open the ${from} again and sign in from there.`,
        next: { href: context.handoffUrls[from] ?? '/', label: `Open the ${from}` },
      },
    }
  }
  if (session === null) return { redirect: returningTo('/sign-in', back) }
  const factor = query.has('fresh') ? 'fresh' : undefined
  const step = await stepBefore(context, session, back, factor)
  if (step !== null) return { redirect: step }
  const code = await context.handoffs.create(session.id, to, browser)
  if (code === null) return { redirect: returningTo('/sign-in', back) }
  const answer = new URL('/signed-in', url)
  answer.search = new URLSearchParams({
    code,
    next: targetOf(query.get('next'), { own: { origin: url } }),
  }).toString()
  return { redirect: answer.href }
}
