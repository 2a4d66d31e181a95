// Adding a passkey. The browser makes it, asked by the one script of these pages.
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { hasFactor, listFactors } from '../../accounts/factors.ts'
import { addPasskey, registrationOptions } from '../../accounts/passkeys.ts'
import { newRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { browserNameOf } from '../browser-name.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, boundTo, PasskeyForm, Submit } from '../parts.tsx'
import { proven } from './authenticator.tsx'
import { ownActOf } from '../audit.ts'

const passkeysPath = '/passkeys'

const nameMax = 100

type Given = {
  readonly existing: readonly string[]
  readonly alert?: string
  readonly fault?: string
}

async function passkeyPage(
  context: PageContext,
  call: PageCall,
  { existing, alert, fault }: Given,
): Promise<PageAnswer> {
  const { person } = call.session
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
          A passkey signs you in with a finger, a face or a PIN, and cannot be typed into a false
          page.
        </p>
        {alert !== undefined && <Alert>{alert}</Alert>}
        <noscript>
          <p class="note">
            Passkeys need scripts, which this browser does not run. An authenticator app needs none:{' '}
            <a href="/second-factor">add an authenticator app</a>.
          </p>
        </noscript>
        <PasskeyForm call={call} path={passkeysPath} kind="add" options={options}>
          <Hidden name="answer" value="" />
          <Field
            name="name"
            label="Name"
            value={call.form.get('name') ?? browserNameOf(call.agent)}
            hint="So that you recognize it among others."
            fault={fault}
            input={{ maxLength: nameMax }}
          />
          <Actions>
            <Submit>Add a passkey</Submit>
          </Actions>
        </PasskeyForm>
      </>
    ),
  }
}

export const showPasskeys: PageHandler = async (context, call) => {
  const { passkeys } = await listFactors(context.pool, call.session.person.id)
  return passkeyPage(context, call, { existing: passkeys.map(({ id }) => id) })
}

const alerts: Readonly<Record<string, string>> = {
  changed_meanwhile: 'A second factor was added meanwhile. Look at your account.',
  already_added: 'This passkey is on an account already.',
  too_many_passkeys: 'You have 20 passkeys. Remove one first.',
}

export const storePasskey: PageHandler = async (context, call) => {
  const { form, session } = call
  const factors = await listFactors(context.pool, session.person.id)
  const existing = factors.passkeys.map(({ id }) => id)
  const name = (form.get('name') ?? '').trim()
  if (name === '' || name.length > nameMax || /\p{C}/u.test(name)) {
    const fault = `Name must be one line of 1 to ${nameMax} characters.`
    return passkeyPage(context, call, { existing, fault })
  }
  const person = session.person.id
  const recoveryCodes = hasFactor(factors)
    ? null
    : newRecoveryCodes(context.peppers, person, context.randomBytes)
  const answer = form.get('answer') ?? ''
  const added = { person, name, answer, bound: boundTo(call), recoveryCodes }
  const refusal = await addPasskey(context.passkeys, added, ownActOf(call))
  if (refusal !== null) {
    const alert = alerts[refusal] ?? 'The browser gave no passkey that can be used. Try again.'
    return passkeyPage(context, call, { existing, alert })
  }
  context.emailed()
  return proven(context, call, recoveryCodes?.codes ?? null, '/')
}
