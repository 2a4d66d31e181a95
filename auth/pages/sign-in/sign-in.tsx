// Signing in: email and password, then a second factor; or a passkey, which replaces both. An
// unknown address and a wrong password get the same response after the same time. Guesses have to
// wait, but don't delay a person who knows the password. Decided in
// docs/decisions/0076-limit-failed-authentications-only.md.
import { Alert, Hidden } from '#http/html/fields.tsx'
import { passwordTurns } from '../../accounts/password-hashing.ts'
import { signInOptions } from '../../accounts/passkeys.ts'
import { type PageOutcome, record } from '../audit.ts'
import { browserNameOf } from '../browser-name.ts'
import type { AnyCall, PageContext, OpenHandler } from '../context.ts'
import { characters, emailFault, handoffTargets, sessionCookie, targetOf } from '../forms.ts'
import { type Origin, originOf } from '../known-browser.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, boundTo, EmailField, PasskeyForm, PasswordField, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { nextStep, retryHeaders, tooMany } from '../steps.ts'

type Faults = { readonly email?: string | undefined; readonly password?: string | undefined }

type SignInForm = {
  readonly target: string
  readonly email?: string
  readonly status?: number
  readonly alert?: string
  readonly faults?: Faults
  readonly retrySeconds?: number
}

export async function signInPage(
  context: PageContext,
  call: AnyCall,
  given: SignInForm,
): Promise<PageAnswer> {
  const options = JSON.stringify(await signInOptions(context.passkeys, boundTo(call)))
  return {
    title: 'Sign in',
    status: given.status ?? 200,
    headers: retryHeaders(given.retrySeconds),
    formTargets: handoffTargets(context, given.target),
    scripts: true,
    content: (
      <>
        <h1>Sign in</h1>
        <p class="lead">{reasonOf(given.target)}</p>
        {given.alert !== undefined && <Alert>{given.alert}</Alert>}
        <PasswordForm call={call} given={given} />
        <PasskeyForm call={call} path="/sign-in/passkey" kind="sign_in" options={options}>
          <Hidden name="next" value={given.target} />
          <Hidden name="answer" value="" />
          <Actions>
            <Submit class="button second">Sign in with a passkey</Submit>
          </Actions>
        </PasskeyForm>
        <p class="fine">
          New here? <a href="/sign-up">Create an account</a>
        </p>
      </>
    ),
  }
}

function PasswordForm({ call, given }: { call: AnyCall; given: SignInForm }) {
  const { target, email = '', faults = {} } = given
  const isKnown = email !== '' && faults.email === undefined
  return (
    <RowForm call={call} path="/sign-in">
      <Hidden name="next" value={target} />
      <EmailField
        label="Email"
        value={email}
        autocomplete="username webauthn"
        fault={faults.email}
        focus={!isKnown}
      />
      <PasswordField name="password" label="Password" fault={faults.password} focus={isKnown} />
      <Actions>
        <Submit>Continue</Submit>
        <a href="/recover">Forgot password?</a>
      </Actions>
    </RowForm>
  )
}

/** The reason for signing in, shown on the page. */
function reasonOf(target: string): string {
  if (target.startsWith('/consent/')) return 'An app is asking for access. Sign in to review it.'
  if (target.startsWith('/device')) return 'Sign in to connect a device.'
  if (target.startsWith('/handoff?')) {
    const isConsole = new URLSearchParams(target.split('?')[1]).get('to') === 'console'
    return `Sign in to open the ${isConsole ? 'console' : 'portal'}.`
  }
  if (target.startsWith('/invitations')) return 'Sign in to accept your invitation.'
  return 'Sign in to your account.'
}

export const showSignIn: OpenHandler = async (context, call) => {
  const target = targetOf(call.query.get('next'), context)
  if (call.session === null) return signInPage(context, call, { target })
  return { redirect: await nextStep(context, call.session, target) }
}

export const signIn: OpenHandler = async (context, call) => {
  const { form } = call
  const target = targetOf(form.get('next'), context)
  const email = (form.get('email') ?? '').trim()
  const password = form.get('password') ?? ''
  const faults = faultsOf(email, password)
  if (faults !== null) return signInPage(context, call, { target, email, faults, status: 422 })
  const origin = originOf(context, call, email)
  const waits = await waitOf(context, origin, email)
  if (waits !== null) {
    await record(context, call, null, refusal('rate_limited', waits.status))
    return signInPage(context, call, { target, email, ...waits })
  }
  const person = await context.people.findByPassword(email, password, origin.name)
  if (person === null) {
    if (!origin.isKnown) await countFailure(context, origin, email)
    await record(context, call, null, refusal('wrong_password', 403))
    const alert = 'Incorrect email or password.'
    return signInPage(context, call, { target, email, alert, status: 403 })
  }
  await context.failedAttempts.succeeded('sign_in', subjectOf(email, origin), true)
  const name = browserNameOf(call.agent)
  const session = await context.sessions.begin(person.id, call.token, { name })
  await record(context, call, person.id, {
    action: 'auth.sign_in',
    outcome: 'ok',
    status: 303,
    code: null,
  })
  const opened = { id: session.id, person, secondFactorSeconds: null }
  const cookies = [sessionCookie(context, session.token)]
  return { redirect: await nextStep(context, opened, target), cookies }
}

const subjectOf = (email: string, { name }: Origin) => `${email.toLowerCase()} ${name}`

/** Counts the attempt. Returns the page's message if the attempt must wait, or null if it may run
 *  now. */
async function waitOf({ failedAttempts }: PageContext, origin: Origin, email: string) {
  if (passwordTurns.isFull(origin.name)) {
    const retrySeconds = 5
    return { status: 503, alert: `We’re busy. Try again in ${retrySeconds} seconds.`, retrySeconds }
  }
  const isStrict =
    !origin.isKnown &&
    ((await failedAttempts.fullSeconds('sign_in_network', origin.name)) > 0 ||
      (await failedAttempts.fullSeconds('sign_in_account', email.toLowerCase())) > 0)
  const subject = subjectOf(email, origin)
  const retrySeconds = await failedAttempts.begin('sign_in', subject, isStrict)
  return retrySeconds === 0 ? null : { status: 429, alert: tooMany(retrySeconds), retrySeconds }
}

async function countFailure({ failedAttempts }: PageContext, origin: Origin, email: string) {
  await failedAttempts.count('sign_in_network', origin.name)
  await failedAttempts.count('sign_in_account', email.toLowerCase())
}

const refusal = (code: string, status: number): PageOutcome => ({
  action: 'auth.sign_in',
  outcome: 'refused',
  status,
  code,
})

function faultsOf(email: string, password: string): Faults | null {
  const isShort = password.length <= characters.password
  const faults = {
    email: emailFault(email),
    password:
      password === ''
        ? 'Enter your password.'
        : isShort
          ? undefined
          : `Use at most ${characters.password} characters.`,
  }
  return faults.email === undefined && faults.password === undefined ? null : faults
}
