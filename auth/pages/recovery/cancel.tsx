// Stops a recovery through the link in its email.
import { Hidden } from '#http/html/fields.tsx'
import { cancelRecovery } from '../../accounts/recoveries.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { AnyCall, OpenHandler } from '../context.ts'
import { ownActOf } from '../audit.ts'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'

const path = '/recover/cancel'

const ended: PageAnswer = {
  failure: {
    status: 404,
    title: 'Nothing to stop',
    text: 'This recovery was already stopped or completed, or it has expired.',
    next: { href: '/account', label: 'Sign in' },
  },
}

const cancelPage = (call: AnyCall, token: string): PageAnswer => ({
  content: (
    <>
      <h1>Stop the recovery?</h1>
      <p class="lead">Your password and second factors stay the same.</p>
      <RowForm call={call} path={path}>
        <Hidden name="token" value={token} />
        <Actions>
          <Submit>Stop recovery</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

export const showCancel: OpenHandler = (context, call) => {
  const token = call.query.get('token') ?? ''
  const id = context.links.read('cancel_recovery', token)
  return id === null ? ended : cancelPage(call, token)
}

export const cancel: OpenHandler = async (context, call) => {
  const id = context.links.read('cancel_recovery', call.form.get('token') ?? '')
  const refusal = id === null ? 'not_found' : await cancelRecovery(context.pool, id, ownActOf(call))
  if (refusal !== null) return ended
  context.emailed()
  return {
    title: 'Recovery stopped',
    content: (
      <>
        <h1>Recovery stopped</h1>
        <p class="lead">
          Your password and second factors haven’t changed. If someone else can read your email,
          change your email account’s password too.
        </p>
        <p class="actions">
          <a class="button" href="/account">
            Sign in
          </a>
        </p>
      </>
    ),
  }
}
