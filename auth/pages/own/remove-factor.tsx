// Removes a passkey or the authenticator app, after naming it and asking for confirmation.
import { Hidden } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { listFactors, removeFactor } from '../../accounts/factors.ts'
import { ownActOf } from '../audit.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { Actions, CancelLink, Submit } from '../parts.tsx'

const path = '/factors/remove'
/** Stands for the authenticator app, which has no ID. */
const totp = 'totp'

export const removalOf = (passkey: string | null): string =>
  `${path}?${new URLSearchParams({ factor: passkey ?? totp })}`

const back = { href: '/account', label: 'Your account' }

const missing: PageAnswer = {
  failure: {
    status: 404,
    title: 'Sign-in method not found',
    text: 'It may have been removed already.',
    next: back,
  },
}

const lastFactor: PageAnswer = {
  failure: {
    status: 409,
    title: 'You can’t remove your last second factor',
    text: 'Add another passkey or an authenticator app first.',
    next: back,
  },
}

const authenticatorWords = {
  title: 'Remove the authenticator app?',
  lead: 'Its codes stop working. You’ll sign in with a passkey instead.',
  action: 'Remove authenticator app',
}

const passkeyWords = (name: string) => ({
  title: `Remove the passkey “${name}”?`,
  lead: 'You won’t be able to sign in with it anymore.',
  action: 'Remove passkey',
})

const confirmation = (
  call: PageCall,
  factor: string,
  { title, lead, action }: typeof authenticatorWords,
): PageAnswer => ({
  content: (
    <>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <RowForm call={call} path={path}>
        <Hidden name="factor" value={factor} />
        <Actions>
          <Submit class="button danger">{action}</Submit>
          <CancelLink />
        </Actions>
      </RowForm>
    </>
  ),
})

export const showRemoval: PageHandler = async ({ pool }: PageContext, call) => {
  const factor = call.query.get('factor') ?? ''
  const { hasTotp, passkeys } = await listFactors(pool, call.session.person.id)
  const passkey = passkeys.find(({ id }) => id === factor)
  const isTotp = factor === totp && hasTotp
  if (passkey === undefined && !isTotp) return missing
  if (passkeys.length + (hasTotp ? 1 : 0) === 1) return lastFactor
  return confirmation(
    call,
    factor,
    passkey === undefined ? authenticatorWords : passkeyWords(passkey.name),
  )
}

/** Also confirms the removal of a factor that was already removed, such as by a double click. Never
 *  removes the last factor. */
export const remove: PageHandler = async (context, call) => {
  const factor = call.form.get('factor') ?? ''
  const passkey = factor === totp ? null : factor
  const removed = { person: call.session.person.id, passkey }
  const refusal = await removeFactor(context.pool, removed, ownActOf(call))
  if (refusal === 'last_factor') return lastFactor
  if (refusal === null) context.emailed()
  const text = passkey === null ? 'Authenticator app removed' : 'Passkey removed'
  return { redirect: back.href, toast: { text } }
}
