// The account page's forms: end sessions, stop a recovery.
import { endSession } from '../../accounts/own-account.ts'
import { cancelRecovery, findBegunRecovery } from '../../accounts/recoveries.ts'
import { sessionCookie } from '../forms.ts'
import type { PageHandler } from '../context.ts'
import { ownActOf } from '../audit.ts'

const accountPath = '/account'

export const endOneSession: PageHandler = async (context, call) => {
  const ended = {
    person: call.session.person.id,
    session: call.form.get('session') ?? '',
  }
  // A session that has already ended doesn't need to be ended.
  await endSession(context.pool, ended, ownActOf(call))
  return { redirect: accountPath, toast: { text: 'Session signed out' } }
}

export const endEverySession: PageHandler = async (context, call) => {
  const ended = { person: call.session.person.id, session: null }
  await endSession(context.pool, ended, ownActOf(call))
  return { redirect: '/sign-out', cookies: [sessionCookie(context, null)] }
}

/** A person who signs in with both factors doesn't need the recovery. */
export const stopOwnRecovery: PageHandler = async (context, call) => {
  const begun = await findBegunRecovery(context.pool, call.session.person.id)
  if (begun === null) return { redirect: accountPath }
  await cancelRecovery(context.pool, begun.id, ownActOf(call))
  context.emailed()
  return { redirect: accountPath, toast: { text: 'Recovery stopped' } }
}
