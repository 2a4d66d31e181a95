// Leads a person who signed in back to the portal, with a code for a session there.
import type { HandoffOrigin } from '../accounts/handoffs.ts'
import type { PageHandler } from './context.ts'
import { failurePage } from './failure.tsx'
import { targetOf } from './forms.ts'
import { redirect } from './page.ts'
import { provenBefore, stepBefore } from './steps.ts'

/** How old a second factor may be where a fresh one is asked for. */
const freshSeconds = 300

const isHandoffOrigin = (name: string | null): name is HandoffOrigin =>
  name === 'portal' || name === 'console'

/**
 * `to`: the origin; `browser`: the SHA-256, in base64url, of the value that the browser has there;
 * `next`: the path to go on to; `fresh`: only with a second factor of the last five minutes.
 */
export const handOff: PageHandler = async (context, call) => {
  const { query, path } = call.request
  const to = query.get('to')
  const url = isHandoffOrigin(to) ? context.handoffUrls[to] : undefined
  const browser = Buffer.from(query.get('browser') ?? '', 'base64url')
  if (!isHandoffOrigin(to) || url === undefined || browser.length !== 32) {
    const from = to === 'console' && url !== undefined ? 'console' : 'portal'
    return failurePage(context.site, {
      status: 400,
      title: 'This link is not complete',
      text: `Open the ${from} again, and sign in from there.`,
      next: { href: context.handoffUrls[from] ?? '/', label: `Open the ${from}` },
    })
  }
  const own = `${path}?${query}`
  const before = query.has('fresh')
    ? await provenBefore(context, call, own, freshSeconds)
    : await stepBefore(context, call, own)
  if (before !== null || call.session === null) return redirect(before ?? '/sign-in')
  const code = await context.handoffs.create(call.session.id, to, browser)
  if (code === null) return redirect('/sign-in')
  const answer = new URL('/signed-in', url)
  answer.search = new URLSearchParams({
    code,
    next: targetOf(query.get('next'), { ...context, own: { ...context.own, origin: url } }),
  }).toString()
  return redirect(answer.href)
}
