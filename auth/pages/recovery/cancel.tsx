// Stopping a recovery, by the link of its email.
import { Hidden } from '#http/html/fields.tsx'
import { cancelRecovery } from '../../accounts/recoveries.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { failurePage } from '../failure.tsx'
import { ownActOf, ownPage } from '../own/own-page.tsx'
import { page } from '../page.ts'
import { Actions, Form, Submit } from '../parts.tsx'

const path = '/recover/cancel'

const endedPage = ({ site }: PageContext) =>
  failurePage(site, {
    status: 404,
    title: 'There is nothing to stop',
    text: 'This recovery was stopped before, was completed, or has expired.',
    next: { href: '/sign-in', label: 'Sign in' },
  })

const cancelPage = (context: PageContext, call: PageCall, token: string) =>
  ownPage(context, call, {
    title: 'Stop the recovery',
    content: (
      <>
        <h1>Stop the recovery?</h1>
        <p class="lead">Your password and your second factors stay as they are.</p>
        <Form call={call} action={path}>
          <Hidden name="token" value={token} />
          <Actions>
            <Submit>Stop it</Submit>
          </Actions>
        </Form>
      </>
    ),
  })

export const showCancel: PageHandler = (context, call) => {
  const token = call.request.query.get('token') ?? ''
  const id = context.links.read('cancel_recovery', token)
  return id === null ? endedPage(context) : cancelPage(context, call, token)
}

export const cancel: PageHandler = async (context, call) => {
  const id = context.links.read('cancel_recovery', call.request.form.get('token') ?? '')
  const refusal = id === null ? 'not_found' : await cancelRecovery(context.pool, id, ownActOf(call))
  if (refusal !== null) return endedPage(context)
  context.emailed()
  return page(context.site, {
    title: 'The recovery is stopped',
    content: (
      <>
        <h1>The recovery is stopped</h1>
        <p class="lead">
          Your password and your second factors are as before. If another person reads your email,
          change its password as well.
        </p>
      </>
    ),
  })
}
