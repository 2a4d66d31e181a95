// Adds a passkey, which the browser creates through the pages' script.
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { type Factors, hasFactor, listFactors } from '../../accounts/factors.ts'
import { addPasskey, registrationOptions } from '../../accounts/passkeys.ts'
import { newRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { browserNameOf } from '../browser-name.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { targetAfterFactor } from '../forms.ts'
import { returningTo } from '../steps.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, boundTo, CancelLink, NoPasskeys, PasskeyForm, Submit } from '../parts.tsx'
import { proven } from './authenticator.tsx'
import { newCodesFor } from './recovery-codes.tsx'
import { ownActOf } from '../audit.ts'

const passkeysPath = '/passkeys'

const nameMax = 100

type PasskeyPage = {
  readonly target: string
  readonly factors: Factors
  readonly alert?: string
  readonly fault?: string
}

async function passkeyPage(
  context: PageContext,
  call: PageCall,
  { target, factors, alert, fault }: PasskeyPage,
): Promise<PageAnswer> {
  const { person } = call.session
  const isFirst = !hasFactor(factors)
  const existing = factors.passkeys.map(({ id }) => id)
  const asked = { person, existing, bound: boundTo(call) }
  const options = JSON.stringify(await registrationOptions(context.passkeys, asked))
  const isRefused = alert !== undefined || fault !== undefined
  return {
    status: isRefused ? 422 : 200,
    scripts: true,
    content: (
      <>
        <h1>Add a passkey</h1>
        <p class="lead">
          Sign in with your fingerprint, face or PIN. Unlike passwords, passkeys can’t be phished.
        </p>
        {alert !== undefined && <Alert>{alert}</Alert>}
        <NoPasskeys />
        <PasskeyForm call={call} path={passkeysPath} kind="add" options={options}>
          <Hidden name="answer" value="" />
          <Hidden name="next" value={target} />
          {isFirst && <Hidden name="first" value="yes" />}
          <Field
            name="name"
            label="Name"
            value={call.form.get('name') ?? browserNameOf(call.agent)}
            hint="To tell it apart from your other passkeys."
            fault={fault}
            input={{ maxLength: nameMax }}
          />
          <Actions>
            <Submit>Add passkey</Submit>
            {!isFirst && <CancelLink />}
          </Actions>
        </PasskeyForm>
        {isFirst && (
          <p class="fine">
            Prefer codes?{' '}
            <a href={returningTo('/second-factor', target)}>Add an authenticator app</a>
          </p>
        )}
      </>
    ),
  }
}

/** A form for a first passkey that was sent twice, such as by going back. The browser may have
 *  dropped the first response, and with it the recovery codes. */
const isSentTwice = (values: URLSearchParams, { passkeys }: Factors) =>
  passkeys.length > 0 && values.has('first')

export const showPasskeys: PageHandler = async (context, call) => {
  const target = targetAfterFactor(call.query.get('next'), context)
  const factors = await listFactors(context.pool, call.session.person.id)
  if (isSentTwice(call.query, factors)) return { redirect: newCodesFor(target) }
  return passkeyPage(context, call, { target, factors })
}

const alerts: Readonly<Record<string, string>> = {
  already_added: 'This passkey is already on an account.',
  too_many_passkeys: 'You already have 20 passkeys. Remove one first.',
}

export const storePasskey: PageHandler = async (context, call) => {
  const { form, session } = call
  const target = targetAfterFactor(form.get('next'), context)
  const factors = await listFactors(context.pool, session.person.id)
  if (isSentTwice(form, factors)) return { redirect: newCodesFor(target) }
  const given = { target, factors }
  const name = (form.get('name') ?? '').trim()
  if (name === '' || name.length > nameMax || /\p{C}/u.test(name)) {
    const fault = `Enter a name of up to ${nameMax} characters, on one line.`
    return passkeyPage(context, call, { ...given, fault })
  }
  const person = session.person.id
  const recoveryCodes = hasFactor(factors)
    ? null
    : newRecoveryCodes(context.peppers, person, context.randomBytes)
  const answer = form.get('answer') ?? ''
  const added = { person, name, answer, bound: boundTo(call), recoveryCodes }
  const refusal = await addPasskey(context.passkeys, added, ownActOf(call))
  // Another form added a first factor at the same time.
  if (refusal === 'changed_meanwhile') return { redirect: newCodesFor(target) }
  if (refusal !== null) {
    const alert = alerts[refusal] ?? 'Your browser didn’t return a usable passkey. Try again.'
    return passkeyPage(context, call, { ...given, alert })
  }
  context.emailed()
  const toast = { text: 'Passkey added' }
  return proven(context, call, { codes: recoveryCodes?.codes ?? null, target, toast })
}
