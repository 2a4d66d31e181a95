// The steps required before a page: signing in, a second factor, or a fresh second factor.
import { secondsText } from '#http/limits/counter.ts'
import type { Session } from '../accounts/sessions.ts'
import type { PageContext } from './context.ts'

/** The maximum age of a fresh second factor. */
const freshSeconds = 300

/** A path on this origin that leads back to `target`. */
export const returningTo = (path: string, target: string): string =>
  target === '/' ? path : `${path}?${new URLSearchParams({ next: target })}`

/** Pages where a person adds a second factor. */
const addsFactor = /^\/(second-factor|passkeys)(\?|$)/

/** The page a signed-in person has to visit first: to add a second factor if they have none, or to
 *  verify the factor they have. Null if no step is required. */
export async function stepBefore(
  { people }: Pick<PageContext, 'people'>,
  { person, secondFactorSeconds: age }: Session,
  target: string,
  factor?: string,
): Promise<string | null> {
  // A removed factor no longer counts.
  if (!(await people.hasSecondFactor(person.id))) {
    if (factor === 'first') return null
    return addsFactor.test(target) ? target : returningTo('/second-factor', target)
  }
  const isProven = age !== null && (factor === undefined || age <= freshSeconds)
  return isProven ? null : returningTo('/sign-in/code', target)
}

/** The step before the target, or the target itself. */
export const nextStep = async (
  context: Pick<PageContext, 'people'>,
  session: Session,
  target: string,
): Promise<string> => (await stepBefore(context, session, target)) ?? target

export const retryHeaders = (seconds: number | undefined) =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }

/** `2 minutes` from 120 seconds on. */
export const spanText = (seconds: number) =>
  seconds < 120 ? secondsText(seconds) : `${Math.ceil(seconds / 60)} minutes`

export const tooMany = (seconds: number) => `Too many attempts. Try again in ${spanText(seconds)}.`
