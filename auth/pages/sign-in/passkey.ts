// Signs in with a passkey, or uses a passkey as a fresh second factor. Nobody can guess a
// signature, and checking a signature is cheap, so attempts aren't counted and other people's
// failures never block a passkey.
import { usePasskey } from '../../accounts/passkeys.ts'
import { browserNameOf } from '../browser-name.ts'
import { type AnyCall, isSignedIn, type OpenHandler, type PageContext } from '../context.ts'
import { sessionCookie, targetOf } from '../forms.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { ownActOf } from '../audit.ts'
import { boundTo } from '../parts.tsx'
import { codePage } from './second-factor.tsx'
import { signInPage } from './sign-in.tsx'
import { returningTo } from '../steps.ts'

export const signInByPasskey: OpenHandler = async (context, call) => {
  const { form } = call
  const target = targetOf(form.get('next'), context)
  const given = { answer: form.get('answer') ?? '', bound: boundTo(call) }
  const used = await usePasskey(context.passkeys, given, ownActOf(call))
  if ('refusal' in used) {
    const alert = 'This passkey doesn’t work here. Try again, or sign in another way.'
    return refusedPage(context, call, { target, alert, status: 403 })
  }
  const token = await provenSession(context, call, used.person)
  if (token === null) return { redirect: returningTo('/sign-in', target) }
  return { redirect: target, cookies: [sessionCookie(context, token)] }
}

/** Continues the session under a new ID if it belongs to that person, and otherwise starts a new
 *  session. */
async function provenSession(
  { sessions }: PageContext,
  { session, token, agent }: AnyCall,
  person: string,
): Promise<string | null> {
  if (session?.person.id === person && token !== null) {
    return (await sessions.proveSecondFactor(token))?.token ?? null
  }
  const name = browserNameOf(agent)
  return (await sessions.begin(person, token, { name, isProven: true })).token
}

type PasskeyRefusal = { target: string; alert: string; status: number }

const refusedPage = (
  context: PageContext,
  call: AnyCall,
  given: PasskeyRefusal,
): Promise<PageAnswer> =>
  isSignedIn(call) ? codePage(context, call, given) : signInPage(context, call, given)
