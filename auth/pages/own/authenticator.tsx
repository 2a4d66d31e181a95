// Adds an authenticator app. The page shows a secret as a QR code and as text, and asks for a code
// to prove that the app has the secret. Until then the secret exists only in the form, encrypted
// for this person.
import { TOTP, Secret } from 'otpauth'
import { Field, Hidden } from '#http/html/fields.tsx'
import { type Factors, hasFactor, listFactors, setTotp } from '../../accounts/factors.ts'
import { newRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { newTotpSecret } from '../../accounts/totp.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { sessionCookie, targetAfterFactor } from '../forms.ts'
import { returningTo } from '../steps.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { Toast } from '#http/pages/toast.tsx'
import { Actions, CancelLink, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { newCodesFor, recoveryCodesPage } from './recovery-codes.tsx'
import { ownActOf } from '../audit.ts'

const secondFactorPath = '/second-factor'

const purposeOf = (person: string) => `totp that is not yet confirmed ${person}`

/** Base32 in groups, for typing. */
const grouped = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

const addressOf = ({ site }: PageContext, email: string, secret: string): string =>
  new TOTP({ issuer: site.name, label: email, secret: Secret.fromBase32(secret) }).toString()

const drawn = { type: 'svg', margin: 2, errorCorrectionLevel: 'L' } as const

type AuthenticatorForm = {
  readonly target: string
  readonly secret: string
  readonly factors: Factors
  readonly fault?: string
}

/** Shows the secret for the app in three forms: to scan, to open on the same device, and to
 *  type. */
const Scan = (shown: { picture: string; address: string; secret: string }) => (
  <section class="part">
    <h2>1. Scan this QR code</h2>
    <div
      class="qr"
      role="img"
      aria-label="QR code with the secret below"
      dangerouslySetInnerHTML={{ __html: shown.picture }}
    />
    <p class="fine">
      Is the app on this device? <a href={shown.address}>Open it</a>, or enter this secret in it:
    </p>
    <p class="code secret">{grouped(shown.secret)}</p>
  </section>
)

async function authenticatorPage(
  context: PageContext,
  call: PageCall,
  { target, secret, factors, fault }: AuthenticatorForm,
): Promise<PageAnswer> {
  const { id, email } = call.session.person
  const { toString: drawCode } = await import('qrcode')
  const address = addressOf(context, email, secret)
  const picture = await drawCode(address, drawn)
  const { hasTotp: hasOne } = factors
  const isFirst = !hasFactor(factors)
  const title = hasOne ? 'Replace your authenticator app' : 'Add an authenticator app'
  return {
    title,
    status: fault === undefined ? 200 : 422,
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">
          An authenticator app, such as 1Password or Google Authenticator, shows a new code every 30
          seconds. You’ll enter one each time you sign in.
        </p>
        <Scan {...{ picture, address, secret }} />
        <section class="part">
          <h2>2. Enter the code from your app</h2>
          <RowForm call={call} path={secondFactorPath}>
            <Hidden name="next" value={target} />
            {!hasOne && <Hidden name="first" value="yes" />}
            <Hidden name="secret" value={context.encryption.encrypt(purposeOf(id), secret)} />
            <Field
              name="code"
              value={null}
              label="Code"
              autocomplete="one-time-code"
              fault={fault}
              focus={fault !== undefined}
              class="digits"
              input={{ inputMode: 'numeric', maxLength: 9, spellcheck: false }}
            />
            <Actions>
              <Submit>Confirm</Submit>
              {!isFirst && <CancelLink />}
            </Actions>
          </RowForm>
        </section>
        {isFirst && (
          <p class="fine">
            Prefer no codes? <a href={returningTo('/passkeys', target)}>Add a passkey</a>
          </p>
        )}
      </>
    ),
  }
}

/** A form for a first app that was sent twice, such as by a double click. The browser dropped the
 *  first response, and with it the recovery codes. */
const isSentTwice = (values: URLSearchParams, { hasTotp }: Factors) =>
  hasTotp && values.has('first')

const toNewCodes = (target: string) => ({ redirect: newCodesFor(target) })

export const showAuthenticator: PageHandler = async (context, call) => {
  const target = targetAfterFactor(call.query.get('next'), context)
  const factors = await listFactors(context.pool, call.session.person.id)
  if (isSentTwice(call.query, factors)) return toNewCodes(target)
  const secret = newTotpSecret(context.randomBytes)
  return authenticatorPage(context, call, { target, secret, factors })
}

export const confirmAuthenticator: PageHandler = async (context, call) => {
  const { form, session } = call
  const target = targetAfterFactor(form.get('next'), context)
  const person = session.person.id
  const factors = await listFactors(context.pool, person)
  if (isSentTwice(form, factors)) return toNewCodes(target)
  const secret = context.encryption.open(purposeOf(person), form.get('secret') ?? '')
  if (secret === null) return { redirect: returningTo(secondFactorPath, target) }
  const code = (form.get('code') ?? '').replaceAll(/[\s-]/g, '')
  const recoveryCodes = hasFactor(factors)
    ? null
    : newRecoveryCodes(context.peppers, person, context.randomBytes)
  const refusal = await setTotp(
    { pool: context.pool, encryption: context.encryption, now: () => context.codeTime() },
    { person, older: factors.totpSecret, secret, code, recoveryCodes },
    ownActOf(call),
  )
  const given = { target, secret, factors }
  if (refusal === 'wrong_code') {
    const fault = 'Incorrect code. Enter the six digits your app shows now.'
    return authenticatorPage(context, call, { ...given, fault })
  }
  if (refusal !== null) {
    return recoveryCodes === null
      ? { redirect: returningTo(secondFactorPath, target) }
      : toNewCodes(target)
  }
  context.emailed()
  const toast = { text: `Authenticator app ${factors.hasTotp ? 'replaced' : 'added'}` }
  return proven(context, call, { codes: recoveryCodes?.codes ?? null, target, toast })
}

type ProvenPage = {
  readonly codes: readonly string[] | null
  readonly target: string
  /** Says what was added, if there are no codes to show. */
  readonly toast: Toast
}

/** Continues a session that just added a factor, and shows the recovery codes created with it. */
export async function proven(
  context: PageContext,
  call: PageCall,
  { codes, target, toast }: ProvenPage,
): Promise<PageAnswer> {
  const renewed = await context.sessions.proveSecondFactor(call.token)
  if (renewed === null) return { redirect: '/account' }
  const cookies = [sessionCookie(context, renewed.token)]
  return codes === null
    ? { redirect: '/account', cookies, toast }
    : recoveryCodesPage(context, call, { codes, target, cookies })
}
