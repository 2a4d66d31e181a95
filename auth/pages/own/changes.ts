// The account page's forms: remove a factor, end sessions, stop a recovery.
import { removeFactor } from '../../accounts/factors.ts'
import { endSession } from '../../accounts/own-account.ts'
import { cancelRecovery, findBegunRecovery } from '../../accounts/recoveries.ts'
import { sessionCookie } from '../forms.ts'
import type { PageHandler } from '../context.ts'
import { ownActOf } from '../audit.ts'

const accountPath = '/account'

/** Ignores a factor that was already removed, and never removes the last factor. */
export const removeOneFactor: PageHandler = async (context, call) => {
  const factor = call.form.get('factor') ?? ''
  const passkey = factor === 'totp' ? null : factor
  const removed = { person: call.session.person.id, passkey }
  if ((await removeFactor(context.pool, removed, ownActOf(call))) === null) context.emailed()
  return { redirect: accountPath }
}

export const endOneSession: PageHandler = async (context, call) => {
  const ended = {
    person: call.session.person.id,
    session: call.form.get('session') ?? '',
  }
  await endSession(context.pool, ended, ownActOf(call))
  return { redirect: accountPath }
}

export const endEverySession: PageHandler = async (context, call) => {
  const ended = { person: call.session.person.id, session: null }
  await endSession(context.pool, ended, ownActOf(call))
  return { redirect: '/sign-out', cookies: [sessionCookie(context, null)] }
}

/** A person who signs in with both factors doesn't need the recovery. */
export const stopOwnRecovery: PageHandler = async (context, call) => {
  const begun = await findBegunRecovery(context.pool, call.session.person.id)
  if (begun !== null) await cancelRecovery(context.pool, begun.id, ownActOf(call))
  context.emailed()
  return { redirect: accountPath }
}
