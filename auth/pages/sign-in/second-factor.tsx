// The second factor, after the password and before each step that needs a fresh second factor: an
// authenticator app's code, a passkey, or a recovery code.
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { listFactors } from '../../accounts/factors.ts'
import { signInOptions } from '../../accounts/passkeys.ts'
import { isRecoveryCode, useRecoveryCode } from '../../accounts/recovery-codes.ts'
import { isSignedIn, type OpenHandler, type PageCall, type PageContext } from '../context.ts'
import { handoffTargets, sessionCookie, targetOf } from '../forms.ts'
import { ownActOf, record } from '../audit.ts'
import { knownCookie, originOf } from '../known-browser.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, boundTo, NoPasskeys, PasskeyForm, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { retryHeaders, returningTo, tooMany } from '../steps.ts'

type CodeForm = {
  readonly target: string
  readonly status?: number
  readonly fault?: string
  readonly alert?: string
  readonly retrySeconds?: number
  /** A recovery code instead of an app's code. */
  readonly isRecovery?: boolean
}

const codePath = '/sign-in/code'
const recoveryCodePath = '/sign-in/recovery-code'

export async function codePage(
  context: PageContext,
  call: PageCall,
  given: CodeForm,
): Promise<PageAnswer> {
  const { session } = call
  const isAgain = session.secondFactorSeconds !== null
  const factors = await listFactors(context.pool, session?.person.id ?? '')
  const options = JSON.stringify(await signInOptions(context.passkeys, boundTo(call)))
  const isRecovery = given.isRecovery === true
  const isPasskeyOnly = !isRecovery && !factors.hasTotp
  const title = isAgain ? 'Confirm it’s you' : titleOf(isRecovery, isPasskeyOnly)
  return {
    title,
    status: given.status ?? 200,
    headers: retryHeaders(given.retrySeconds),
    formTargets: handoffTargets(context, given.target),
    scripts: true,
    content: (
      <>
        <h1>{title}</h1>
        {(isAgain || isPasskeyOnly) && (
          <p class="lead">
            {isPasskeyOnly
              ? 'Continue with your fingerprint, face or PIN.'
              : 'Enter a code to continue.'}
          </p>
        )}
        {given.alert !== undefined && <Alert>{given.alert}</Alert>}
        {isRecovery && <RecoveryCodeForm call={call} given={given} />}
        {!isRecovery && factors.hasTotp && <AppCodeForm call={call} given={given} />}
        {isPasskeyOnly && (
          <NoPasskeys
            noScript=" Use a recovery code instead."
            unsupported=" Use a recovery code, or sign in on a device that has your passkey."
          />
        )}
        {factors.passkeys.length > 0 && (
          <PasskeyForm call={call} path="/sign-in/passkey" kind="sign_in" options={options}>
            <Hidden name="next" value={given.target} />
            <Hidden name="answer" value="" />
            <Submit class={isPasskeyOnly ? 'button' : 'button second'}>Use a passkey</Submit>
          </PasskeyForm>
        )}
        <OtherWay target={given.target} isRecovery={isRecovery} hasTotp={factors.hasTotp} />
      </>
    ),
  }
}

const titleOf = (isRecovery: boolean, isPasskeyOnly: boolean) =>
  isRecovery ? 'Enter a recovery code' : isPasskeyOnly ? 'Use your passkey' : 'Enter your code'

type FormProps = { readonly call: PageCall; readonly given: CodeForm }

const AppCodeForm = ({ call, given }: FormProps) => (
  <RowForm call={call} path={codePath}>
    <Hidden name="next" value={given.target} />
    <Field
      name="code"
      value={null}
      label="Code"
      hint="The six digits in your authenticator app."
      autocomplete="one-time-code"
      fault={given.fault}
      focus
      class="digits"
      input={{ inputMode: 'numeric', maxLength: 9, autocapitalize: 'none', spellcheck: false }}
    />
    <Actions>
      <Submit>Continue</Submit>
    </Actions>
  </RowForm>
)

const RecoveryCodeForm = ({ call, given }: FormProps) => (
  <RowForm call={call} path={recoveryCodePath}>
    <Hidden name="next" value={given.target} />
    <Field
      name="code"
      value={null}
      label="Recovery code"
      hint="Sixteen letters and digits. Each code works once."
      fault={given.fault}
      focus
      class="code"
      input={{ maxLength: 30, autocapitalize: 'none', spellcheck: false }}
    />
    <Actions>
      <Submit>Continue</Submit>
    </Actions>
  </RowForm>
)

type OtherWayProps = { target: string; isRecovery: boolean; hasTotp: boolean }

const OtherWay = ({ target, isRecovery, hasTotp }: OtherWayProps) =>
  isRecovery ? (
    <p class="fine links">
      {hasTotp && <a href={returningTo(codePath, target)}>Use your authenticator app</a>}{' '}
      <a href="/recover">No codes left?</a>
    </p>
  ) : (
    <p class="fine links">
      <a href={returningTo(recoveryCodePath, target)}>Use a recovery code</a>
    </p>
  )

const show =
  (isRecovery: boolean): OpenHandler =>
  async (context, call) => {
    const target = targetOf(call.query.get('next'), context)
    if (!isSignedIn(call)) return { redirect: returningTo('/sign-in', target) }
    const hasFactor = await context.people.hasSecondFactor(call.session.person.id)
    if (!hasFactor) return { redirect: returningTo('/second-factor', target) }
    return codePage(context, call, { target, isRecovery })
  }

export const showCode = show(false)
export const showRecoveryCode = show(true)

type Kind = {
  /** Checks a code's format, ignoring spaces and hyphens. */
  readonly form: (code: string) => boolean
  readonly shape: string
  readonly wrong: string
  readonly use: (context: PageContext, call: PageCall, code: string) => Promise<boolean>
  readonly isRecovery: boolean
}

const appCode: Kind = {
  form: code => /^\d{6}$/.test(code),
  shape: 'Enter six digits, such as 123456.',
  wrong: 'Incorrect code. Enter the current one from your app. Each code works once.',
  use: ({ people }, call, code) => people.useCode(call.session.person.id, code),
  isRecovery: false,
}

const recoveryCode: Kind = {
  form: isRecoveryCode,
  shape: 'Enter sixteen letters and digits, such as 0abc-1def-2ghj-3kmn.',
  wrong: 'Incorrect or already used. Each recovery code works once.',
  use(context, call, code) {
    const used = { person: call.session.person.id, code }
    return useRecoveryCode(context.pool, context.peppers, used, ownActOf(call))
  },
  isRecovery: true,
}

const prove =
  (kind: Kind): OpenHandler =>
  async (context, call) => {
    const { form } = call
    const { isRecovery } = kind
    const target = targetOf(form.get('next'), context)
    if (!isSignedIn(call)) return { redirect: returningTo('/sign-in', target) }
    const code = (form.get('code') ?? '').normalize('NFKC').replaceAll(/[\s-]/g, '')
    if (!kind.form(code)) {
      return codePage(context, call, { target, fault: kind.shape, status: 422, isRecovery })
    }
    const { isRight, retrySeconds } = await useCode(context, call, kind, code)
    if (retrySeconds > 0) {
      const alert = tooMany(retrySeconds)
      return codePage(context, call, { target, alert, status: 429, retrySeconds, isRecovery })
    }
    if (!isRight) {
      return codePage(context, call, { target, fault: kind.wrong, status: 403, isRecovery })
    }
    if (isRecovery) context.emailed()
    const renewed = await context.sessions.proveSecondFactor(call.token)
    if (renewed === null) return { redirect: returningTo('/sign-in', target) }
    const known = knownCookie(context, call, call.session.person.email)
    return { redirect: target, cookies: [sessionCookie(context, renewed.token), known] }
  }

export const proveCode = prove(appCode)
export const proveRecoveryCode = prove(recoveryCode)

/** Uses the signed-in person's code, unless there were too many wrong codes. */
async function useCode(context: PageContext, call: PageCall, kind: Kind, code: string) {
  const { failedAttempts } = context
  const { id: person, email } = call.session.person
  const subject = `code of ${person} ${originOf(context, call, email).name}`
  const retrySeconds = await failedAttempts.begin('sign_in', subject)
  const isRight = retrySeconds === 0 && (await kind.use(context, call, code))
  if (isRight) await failedAttempts.succeeded('sign_in', subject, true)
  const action = 'auth.second_factor'
  const refusedFor = retrySeconds > 0 ? 'rate_limited' : 'wrong_code'
  await record(
    context,
    call,
    person,
    isRight
      ? { action, outcome: 'ok', status: 303, code: null }
      : { action, outcome: 'refused', status: retrySeconds > 0 ? 429 : 403, code: refusedFor },
  )
  return { isRight, retrySeconds }
}
