// Signing in: email and password, then a code of the second factor. An unknown address and a wrong
// password have one answer, after the same time.
import { secondsText } from '#http/counter.ts'
import { markup } from '#http/html/markup.ts'
import { networkOf } from '#http/rate-limiter.ts'
import { type PageOutcome, record } from './audit.ts'
import type { PageCall, PageContext, PageHandler } from './context.ts'
import { field, form, hidden, returningTo, setCookie, targetOf } from './forms.ts'
import { handoffPath, handoffTargets } from './handoff-path.ts'
import { alertOf, page, type PageAnswer, redirect } from './page.ts'

const characters = { email: 254, password: 1000 } as const

type Faults = { readonly email?: string | undefined; readonly password?: string | undefined }

type SignInForm = {
  readonly target: string
  readonly email?: string
  readonly status?: number
  readonly alert?: string
  readonly faults?: Faults
  readonly retrySeconds?: number
}

export const retryHeaders = (seconds: number | undefined) =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }

function signInPage(context: PageContext, call: PageCall, given: SignInForm): PageAnswer {
  const { target, email = '', faults = {} } = given
  const isKnown = email !== '' && faults.email === undefined
  const fields = markup`${hidden('next', target)}
${field({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', fault: faults.email, focus: !isKnown, more: markup` maxlength="${characters.email}" autocapitalize="none" spellcheck="false"` })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', fault: faults.password, focus: isKnown, more: markup` maxlength="${characters.password}"` })}
<div class="actions"><button class="button">Continue</button></div>`
  return page(context.site, {
    title: 'Sign in',
    status: given.status ?? 200,
    headers: retryHeaders(given.retrySeconds),
    formTargets: handoffTargets(context, target),
    content: markup`<h1>Sign in</h1>
<p class="lead">${reasonOf(target)}</p>
${alertOf(given.alert)}
${form(call, '/sign-in', fields)}`,
  })
}

/** What signing in leads to. */
function reasonOf(target: string): string {
  if (target.startsWith('/consent/'))
    return 'An application asks for access. Sign in to see what it asks for.'
  if (target.startsWith('/device')) return 'Sign in to connect a device.'
  if (target.startsWith(handoffPath)) return 'Sign in to open the portal.'
  return 'Sign in to see which agents and devices act for you.'
}

export const showSignIn: PageHandler = async (context, call) => {
  const target = targetOf(call.request.query.get('next'), context)
  if (call.session === null) return signInPage(context, call, { target })
  return redirect(await nextStep(context, call.session, target))
}

/** Where to go before a page that needs a signed-in person; null: nowhere. */
export async function stepBefore(
  context: PageContext,
  { session }: PageCall,
  target: string,
): Promise<string | null> {
  if (session === null) return returningTo('/sign-in', target)
  const next = await nextStep(context, session, target)
  return next === target ? null : next
}

/** The same where the second factor has to be proved, at most `secondsMax` ago. */
export async function provenBefore(
  { people }: PageContext,
  { session }: PageCall,
  target: string,
  secondsMax = Number.POSITIVE_INFINITY,
): Promise<string | null> {
  if (session === null) return returningTo('/sign-in', target)
  const age = session.secondFactorSeconds
  // One that was taken away since proves nothing.
  const isProven =
    age !== null && age <= secondsMax && (await people.hasSecondFactor(session.person.id))
  return isProven ? null : returningTo('/sign-in/code', target)
}

/** The page of the code while the second factor of a session is missing, else the target. */
async function nextStep(
  { people }: PageContext,
  { person, secondFactorSeconds }: NonNullable<PageCall['session']>,
  target: string,
): Promise<string> {
  const isMissing = secondFactorSeconds === null && (await people.hasSecondFactor(person.id))
  return isMissing ? returningTo('/sign-in/code', target) : target
}

export const signIn: PageHandler = async (context, call) => {
  const { request } = call
  const target = targetOf(request.form.get('next'), context)
  const email = (request.form.get('email') ?? '').trim()
  const password = request.form.get('password') ?? ''
  const faults = faultsOf(email, password)
  if (faults !== null) return signInPage(context, call, { target, email, faults, status: 422 })
  const network = networkOf(request.address)
  const subject = `${email.toLowerCase()} ${network}`
  const { failedAttempts } = context
  const waitSeconds =
    (await failedAttempts.begin('sign_in_network', network)) ||
    (await failedAttempts.begin('sign_in', subject))
  if (waitSeconds > 0) {
    await record(context, call, null, refusal('rate_limited', 429))
    const alert = tooMany(waitSeconds)
    return signInPage(context, call, {
      target,
      email,
      alert,
      status: 429,
      retrySeconds: waitSeconds,
    })
  }
  const person = await context.people.findByPassword(email, password)
  if (person === null) {
    await record(context, call, null, refusal('wrong_password', 403))
    const alert = 'The email or the password is not right. Check both and try again.'
    return signInPage(context, call, { target, email, alert, status: 403 })
  }
  await failedAttempts.succeeded('sign_in_network', network, false)
  await failedAttempts.succeeded('sign_in', subject, true)
  const session = await context.sessions.begin(person.id, call.token)
  await record(context, call, person.id, {
    action: 'auth.sign_in',
    outcome: 'ok',
    status: 303,
    code: null,
  })
  const opened = { id: session.id, person, secondFactorSeconds: null }
  const cookies = [setCookie(context, 'session', session.token)]
  return redirect(await nextStep(context, opened, target), cookies)
}

const refusal = (code: string, status: number): PageOutcome => ({
  action: 'auth.sign_in',
  outcome: 'refused',
  status,
  code,
})

export const tooMany = (seconds: number) =>
  `There were too many failed attempts. Try again in ${secondsText(seconds)}.`

function faultsOf(email: string, password: string): Faults | null {
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= characters.email
  const isShort = password.length <= characters.password
  const faults = {
    email: isAddress ? undefined : 'Email must be an email address, such as ada@example.com.',
    password:
      password === ''
        ? 'Password must not be empty.'
        : isShort
          ? undefined
          : `Password must have at most ${characters.password} characters.`,
  }
  return faults.email === undefined && faults.password === undefined ? null : faults
}
