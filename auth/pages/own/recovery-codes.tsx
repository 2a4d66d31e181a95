// Recovery codes, which are shown once and work like a second factor on paper.
import { Hidden } from '#http/html/fields.tsx'
import { newRecoveryCodes, replaceRecoveryCodes } from '../../accounts/recovery-codes.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import { targetAfterFactor } from '../forms.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'

const recoveryCodesPath = '/recovery-codes'

/** The page that creates new codes, for a person who added a first factor but didn't see its codes.
 *  It leads on to `target`. */
export const newCodesFor = (target: string): string =>
  `${recoveryCodesPath}?${new URLSearchParams({ next: target })}`

/** The page to open once a person has a second factor and its codes. */
const pageAfter = ({ handoffUrls }: PageContext, target: string): string =>
  target === '/' ? (handoffUrls.portal ?? '/') : target

type ShownCodes = {
  readonly codes: readonly string[]
  readonly target: string
  readonly cookies?: readonly string[]
}

/** Contains no form, because the same response may renew the session. */
export function recoveryCodesPage(
  context: PageContext,
  call: PageCall,
  { codes, target, cookies = [] }: ShownCodes,
): PageAnswer {
  const { email } = call.session.person
  const file = `${context.site.name} recovery codes for ${email}. Each works once.\n\n${codes.join('\n')}\n`
  return {
    title: 'Save your recovery codes',
    bar: 'name',
    cookies,
    content: (
      <>
        <h1>Save your recovery codes</h1>
        <p class="lead">
          Each code signs you in once if you lose your authenticator app or passkey. You won’t see
          them again, so keep them somewhere safe.
        </p>
        <ol class="codes">
          {codes.map(code => (
            <li key={code} class="code">
              {code}
            </li>
          ))}
        </ol>
        <Actions>
          <a
            class="button second"
            download="recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          >
            Download
          </a>
          <a class="button" href={pageAfter(context, target)}>
            I’ve saved them
          </a>
        </Actions>
      </>
    ),
  }
}

/** Where the person was going. Null if they came from their account. */
const nextIn = (values: URLSearchParams, context: PageContext): string | null =>
  values.has('next') ? targetAfterFactor(values.get('next'), context) : null

export const showRecoveryCodes: PageHandler = (context, call) => {
  const next = nextIn(call.query, context)
  return {
    content: (
      <>
        <h1>New recovery codes</h1>
        <p class="lead">
          {next === null
            ? 'You’ll get ten new codes. The old ones stop working.'
            : 'Your second factor is set up. Create ten recovery codes in case you lose it. They replace any earlier ones.'}
        </p>
        <RowForm call={call} path={recoveryCodesPath}>
          {next !== null && <Hidden name="next" value={next} />}
          <Actions>
            <Submit>Create new codes</Submit>
            <a class="button second" href={next === null ? '/account' : pageAfter(context, next)}>
              {next === null ? 'Cancel' : 'Skip'}
            </a>
          </Actions>
        </RowForm>
      </>
    ),
  }
}

export const makeRecoveryCodes: PageHandler = async (context, call) => {
  const { id } = call.session.person
  const made = newRecoveryCodes(context.peppers, id, context.randomBytes)
  await replaceRecoveryCodes(context.pool, id, made, ownActOf(call))
  context.emailed()
  const target = nextIn(call.form, context) ?? '/account'
  return recoveryCodesPage(context, call, { codes: made.codes, target })
}
