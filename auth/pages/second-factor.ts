// The second factor: a code of the authenticator app, after the password and again before something
// that needs a fresh one.
import { markup } from '#http/html/markup.ts'
import { networkOf } from '#http/rate-limiter.ts'
import { record } from './audit.ts'
import type { PageCall, PageContext, PageHandler } from './context.ts'
import { handoffTargets } from './handoff-path.ts'
import { field, form, hidden, returningTo, setCookie, targetOf } from './forms.ts'
import { alertOf, page, type PageAnswer, redirect } from './page.ts'
import { retryHeaders, tooMany } from './sign-in.ts'
import { signOutForm } from './sign-out.ts'

type CodeForm = {
  readonly target: string
  readonly status?: number
  readonly fault?: string
  readonly alert?: string
  readonly retrySeconds?: number
}

function codePage(context: PageContext, call: PageCall, given: CodeForm): PageAnswer {
  const isAgain = call.session?.secondFactorSeconds !== null
  const title = isAgain ? 'Confirm that it is you' : 'Enter your code'
  const code = field({
    name: 'code',
    label: 'Code',
    hint: 'Six digits from your authenticator app. They change every 30 seconds.',
    autocomplete: 'one-time-code',
    fault: given.fault,
    focus: true,
    style: 'digits',
    more: markup` inputmode="numeric" maxlength="9" autocapitalize="none" spellcheck="false"`,
  })
  return page(context.site, {
    title,
    status: given.status ?? 200,
    signedIn: call.session?.person.email,
    signOut: signOutForm(call),
    headers: retryHeaders(given.retrySeconds),
    formTargets: handoffTargets(context, given.target),
    content: markup`<h1>${title}</h1>
${isAgain && markup`<p class="lead">This step needs a code that is not older than five minutes.</p>`}
${alertOf(given.alert)}
${form(call, '/sign-in/code', markup`${hidden('next', given.target)}${code}<div class="actions"><button class="button">Continue</button></div>`)}`,
  })
}

function noFactorPage(context: PageContext, call: PageCall): PageAnswer {
  return page(context.site, {
    title: 'A second factor is needed',
    status: 403,
    signedIn: call.session?.person.email,
    signOut: signOutForm(call),
    content: markup`<h1>A second factor is needed</h1>
<p>Your account has no authenticator app. Giving an agent or a device access needs its codes.</p>
<p class="actions"><a class="button second" href="/">See what acts for you</a></p>`,
  })
}

export const showCode: PageHandler = async (context, call) => {
  const target = targetOf(call.request.query.get('next'), context)
  if (call.session === null) return redirect(returningTo('/sign-in', target))
  const hasFactor = await context.people.hasSecondFactor(call.session.person.id)
  return hasFactor ? codePage(context, call, { target }) : noFactorPage(context, call)
}

export const proveCode: PageHandler = async (context, call) => {
  const { request, session, token } = call
  const target = targetOf(request.form.get('next'), context)
  if (session === null || token === null) return redirect(returningTo('/sign-in', target))
  const code = (request.form.get('code') ?? '').replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) {
    const fault = 'Code must be six digits, such as 123456.'
    return codePage(context, call, { target, fault, status: 422 })
  }
  const outcome = await useCode(context, call, code)
  if (outcome.retrySeconds > 0) {
    const alert = tooMany(outcome.retrySeconds)
    return codePage(context, call, { target, alert, status: 429, ...outcome })
  }
  if (!outcome.isRight) {
    const fault = 'Code must be the current one of your authenticator app. Each code works once.'
    return codePage(context, call, { target, fault, status: 403 })
  }
  const renewed = await context.sessions.proveSecondFactor(token)
  if (renewed === null) return redirect(returningTo('/sign-in', target))
  return redirect(target, [setCookie(context, 'session', renewed.token)])
}

/** Uses a code of the signed-in person, unless there were too many wrong ones. */
async function useCode(context: PageContext, call: PageCall, code: string) {
  const { people, failedAttempts } = context
  const person = call.session?.person.id ?? ''
  const subject = `code of ${person} ${networkOf(call.request.address)}`
  const retrySeconds = await failedAttempts.begin('sign_in', subject)
  const isRight = retrySeconds === 0 && (await people.useCode(person, code))
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
