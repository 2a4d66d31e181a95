// What has to come before a page: signing in, a second factor, a fresh one.
import { secondsText } from '#http/counter.ts'
import type { PageCall, PageContext } from './context.ts'
import { returningTo } from './forms.ts'

/** Where to go before a page that needs a signed-in person; null: nowhere. */
export async function stepBefore(
  context: PageContext,
  { session }: PageCall,
  target: string,
): Promise<string | null> {
  if (session === null) return returningTo('/sign-in', target)
  const next = await nextStep(context, session, target)
  return next === target ? null : next
}

/** The same where the second factor has to be proved, at most `secondsMax` ago. */
export async function provenBefore(
  { people }: PageContext,
  { session }: PageCall,
  target: string,
  secondsMax = Number.POSITIVE_INFINITY,
): Promise<string | null> {
  if (session === null) return returningTo('/sign-in', target)
  // One that was taken away since proves nothing.
  if (!(await people.hasSecondFactor(session.person.id))) {
    return returningTo('/second-factor', target)
  }
  const age = session.secondFactorSeconds
  const isProven = age !== null && age <= secondsMax
  return isProven ? null : returningTo('/sign-in/code', target)
}

/** The page that asks for the second factor while a session has not proved it, the one that adds it
 *  while the person has none, else the target. */
export async function nextStep(
  { people }: PageContext,
  { person, secondFactorSeconds }: NonNullable<PageCall['session']>,
  target: string,
): Promise<string> {
  if (!(await people.hasSecondFactor(person.id))) return returningTo('/second-factor', target)
  return secondFactorSeconds === null ? returningTo('/sign-in/code', target) : target
}

export const retryHeaders = (seconds: number | undefined) =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }

export const tooMany = (seconds: number) =>
  `There were too many attempts. Try again in ${secondsText(seconds)}.`
