// The page behind a recovery link, where a person sets a new password. It takes effect right away
// with a second factor, and after a day without one.
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import {
  beginRecovery,
  completeRecovery,
  findRecovery,
  type Recovery,
} from '../../accounts/recoveries.ts'
import { isRecoveryCode, useRecoveryCode } from '../../accounts/recovery-codes.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { sessionCookie } from '../forms.ts'
import { linkEnded } from '../link-ended.ts'
import { NewPassword, newPasswordFault } from '../new-password.tsx'
import { ownActOf } from '../audit.ts'
import { originOf } from '../known-browser.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { retryHeaders, tooMany } from '../steps.ts'
import { LocalMoment } from '../words.tsx'

const path = '/recover/account'

const ended = linkEnded('If you set a new password, sign in. Otherwise, request a new link.')

type RecoveryForm = {
  readonly token: string
  readonly recovery: Recovery
  readonly status?: number
  readonly alert?: string
  readonly retrySeconds?: number
  readonly code?: string
  readonly password?: string
}

const WithCode = ({ call, given }: { call: AnyCall; given: RecoveryForm }) => (
  <section class="part">
    <h2>With your authenticator app or a recovery code</h2>
    <RowForm call={call} path={path}>
      <Hidden name="token" value={given.token} />
      <Field
        name="code"
        value={null}
        label="Code"
        autocomplete="one-time-code"
        hint="Six digits from your app, or one of your recovery codes."
        fault={given.code}
        input={{ maxLength: 30, autocapitalize: 'none', spellcheck: false }}
      />
      <NewPassword fault={given.password} />
      <Actions>
        <Submit name="decide" value="code">
          Set password
        </Submit>
      </Actions>
    </RowForm>
  </section>
)

type WaitProps = { call: AnyCall; given: RecoveryForm }

const Wait = ({ call, given: { token, recovery } }: WaitProps) => (
  <section class="part">
    <h2>{recovery.has_factor ? 'Without either' : '24-hour wait'}</h2>
    <p>
      Wait 24 hours, then set a new password and a new second factor. We’ll email you, your
      accounts’ other owners and your clinics’ administrators, so no one else can quietly take over.
    </p>
    <RowForm call={call} path={path}>
      <Hidden name="token" value={token} />
      <Actions>
        <Submit class="button second" name="decide" value="wait">
          Start the 24-hour wait
        </Submit>
      </Actions>
    </RowForm>
  </section>
)

const Begun = ({ recovery }: { recovery: Recovery }) => (
  <p class="note">
    From <LocalMoment at={recovery.effective_at ?? ''} /> you can use this link to set a new
    password and a new second factor. The link then works for seven days.
  </p>
)

const AfterTheDay = ({ call, given }: { call: AnyCall; given: RecoveryForm }) => (
  <RowForm call={call} path={path}>
    <Hidden name="token" value={given.token} />
    <NewPassword fault={given.password} focus />
    <p class="fine">
      This removes your authenticator app, passkeys and recovery codes, and signs out every session,
      agent and device. You’ll add a new second factor when you sign in.
    </p>
    <Actions>
      <Submit name="decide" value="password">
        Set password
      </Submit>
    </Actions>
  </RowForm>
)

function recoveryPage(call: AnyCall, given: RecoveryForm): PageAnswer {
  const { recovery } = given
  const isBegun = recovery.effective_at !== null
  return {
    status: given.status ?? 200,
    headers: retryHeaders(given.retrySeconds),
    scripts: true,
    content: (
      <>
        <h1>Recover your account</h1>
        <p class="lead address">{recovery.email}</p>
        {given.alert !== undefined && <Alert>{given.alert}</Alert>}
        {recovery.is_effective ? (
          <AfterTheDay call={call} given={given} />
        ) : (
          <>
            {isBegun && <Begun recovery={recovery} />}
            {recovery.has_factor && <WithCode call={call} given={given} />}
            {!isBegun && <Wait call={call} given={given} />}
          </>
        )}
      </>
    ),
  }
}

async function recoveryOf(context: PageContext, token: string): Promise<Recovery | null> {
  const id = context.links.read('recovery', token)
  return id === null ? null : findRecovery(context.pool, id)
}

export const showRecovery: OpenHandler = async (context, call) => {
  const token = call.query.get('token') ?? ''
  const recovery = await recoveryOf(context, token)
  return recovery === null ? ended : recoveryPage(call, { token, recovery })
}

export const answerRecovery: OpenHandler = async (context, call) => {
  const { form } = call
  const token = form.get('token') ?? ''
  const recovery = await recoveryOf(context, token)
  if (recovery === null) return ended
  const given = { token, recovery }
  const decided = form.get('decide')
  if (decided === 'wait') return begin(context, call, given)
  const isByCode = decided === 'code'
  if (!isByCode && !recovery.is_effective) return recoveryPage(call, given)
  const password = form.get('password') ?? ''
  const fault = await newPasswordFault(context, password, [recovery.email, recovery.name])
  if (fault !== undefined) {
    return recoveryPage(call, { ...given, password: fault, status: 422 })
  }
  if (isByCode) {
    const refused = await refuseCode(context, call, given)
    if (refused !== null) return refused
  }
  const done = { id: recovery.id, password, keepsFactors: isByCode }
  const refusal = await completeRecovery(context.pool, done, ownActOf(call))
  if (refusal !== null) return ended
  context.emailed()
  return recoveredPage(context)
}

async function begin(
  context: PageContext,
  call: AnyCall,
  { token, recovery }: RecoveryForm,
): Promise<PageAnswer> {
  const refusal = await beginRecovery(context.pool, recovery.id, ownActOf(call))
  context.emailed()
  const begun = await recoveryOf(context, token)
  if (refusal === 'already_begun') {
    const alert = 'The 24-hour wait has already started. Use the link we emailed you.'
    return recoveryPage(call, { token, recovery, alert, status: 409 })
  }
  return begun === null ? ended : recoveryPage(call, { token, recovery: begun })
}

/** Uses the code, unless there were too many wrong codes. Returns null if the code was right. */
async function refuseCode(
  context: PageContext,
  call: AnyCall,
  given: RecoveryForm,
): Promise<PageAnswer | null> {
  const { person, email } = given.recovery
  const code = (call.form.get('code') ?? '').normalize('NFKC').trim()
  const subject = `code of ${person} ${originOf(context, call, email).name}`
  const retrySeconds = await context.failedAttempts.begin('sign_in', subject)
  if (retrySeconds > 0) {
    const alert = tooMany(retrySeconds)
    return recoveryPage(call, { ...given, alert, status: 429, retrySeconds })
  }
  const isRight = isRecoveryCode(code)
    ? await useRecoveryCode(context.pool, context.peppers, { person, code }, ownActOf(call))
    : await context.people.useCode(person, code.replaceAll(/[\s-]/g, ''))
  if (!isRight) {
    const fault =
      'Incorrect code. Enter the current code from your app, or an unused recovery code.'
    return recoveryPage(call, { ...given, code: fault, status: 403 })
  }
  await context.failedAttempts.succeeded('sign_in', subject, true)
  return null
}

const recoveredPage = (context: PageContext): PageAnswer => ({
  title: 'Password set',
  bar: 'empty',
  cookies: [sessionCookie(context, null)],
  content: (
    <>
      <h1>Password set</h1>
      <p class="lead">You’ve been signed out everywhere. Sign in with your new password.</p>
      <p class="actions">
        <a class="button" href="/account">
          Sign in
        </a>
      </p>
    </>
  ),
})
