// Signs a person out, which ends only the session.
import { record } from './audit.ts'
import type { OpenHandler } from './context.ts'
import { sessionCookie, targetOf } from './forms.ts'
import { Actions, Submit } from './parts.tsx'
import { RowForm } from '#http/html/parts.tsx'

export const showSignOut: OpenHandler = (context, call) => {
  const { session } = call
  if (session !== null) {
    return {
      bar: 'name',
      content: (
        <>
          <h1>Sign out?</h1>
          <p>Your agents and devices keep their access.</p>
          <RowForm call={call} path="/sign-out">
            <Actions>
              <Submit>Sign out</Submit>
              <a class="button second" href="/">
                Stay signed in
              </a>
            </Actions>
          </RowForm>
        </>
      ),
    }
  }
  return {
    title: 'You’re signed out',
    content: (
      <>
        <h1>You’re signed out</h1>
        <p class="lead">Your agents and devices keep their access.</p>
        <p class="actions">
          <a class="button" href="/account">
            Sign in
          </a>
        </p>
      </>
    ),
  }
}

export const signOut: OpenHandler = async (context, call) => {
  if (call.token !== null) await context.sessions.end(call.token)
  if (call.session !== null) {
    const { id } = call.session.person
    await record(context, call, id, {
      action: 'auth.sign_out',
      outcome: 'ok',
      status: 303,
      code: null,
    })
  }
  const next = call.form.get('next')
  return {
    redirect: next === null ? '/sign-out' : targetOf(next, context),
    cookies: [sessionCookie(context, null)],
  }
}
