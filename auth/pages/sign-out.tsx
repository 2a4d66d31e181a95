// Signing out, which ends the session and nothing else.
import { record } from './audit.ts'
import type { PageHandler } from './context.ts'
import { setCookie } from './forms.ts'
import { page, redirect } from './page.ts'
import { Actions, Form, Submit } from './parts.tsx'

export const showSignOut: PageHandler = (context, call) => {
  const { session } = call
  if (session !== null) {
    return page(context.site, {
      title: 'Sign out',
      signedIn: session.person.email,
      content: (
        <>
          <h1>Sign out?</h1>
          <p>Agents and devices that act for you keep their access.</p>
          <Form call={call} action="/sign-out">
            <Actions>
              <Submit>Sign out</Submit>
              <a class="button second" href="/">
                Stay signed in
              </a>
            </Actions>
          </Form>
        </>
      ),
    })
  }
  return page(context.site, {
    title: 'You are signed out',
    content: (
      <>
        <h1>You are signed out</h1>
        <p class="lead">Agents and devices that act for you keep their access.</p>
        <p class="actions">
          <a class="button" href="/sign-in">
            Sign in
          </a>
        </p>
      </>
    ),
  })
}

export const signOut: PageHandler = async (context, call) => {
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
  return redirect('/sign-out', [setCookie(context, 'session', null)])
}
