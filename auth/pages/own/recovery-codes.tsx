// The recovery codes, which are shown once: on paper they take the place of the second factor.
import { newRecoveryCodes, replaceRecoveryCodes } from '../../accounts/recovery-codes.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'

const recoveryCodesPath = '/recovery-codes'

type Given = {
  readonly codes: readonly string[]
  readonly target: string
  readonly cookies?: readonly string[]
}

/** Without a form: the session may have been renewed by the request that this answers. */
export function recoveryCodesPage(
  { site, handoffUrls }: PageContext,
  call: PageCall,
  { codes, target, cookies = [] }: Given,
): PageAnswer {
  const { email } = call.session.person
  const file = `Recovery codes of ${email} at ${site.name}. Each works once.\n\n${codes.join('\n')}\n`
  const next = target === '/' ? (handoffUrls.portal ?? '/') : target
  return {
    title: 'Save your recovery codes',
    bar: 'name',
    cookies,
    content: (
      <>
        <h1>Save your recovery codes</h1>
        <p class="lead">
          Each of them signs you in once without your authenticator app or passkey. They are shown
          now and never again. Keep them where you keep your passport.
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
            Download as text
          </a>
          <a class="button" href={next}>
            I have saved them
          </a>
        </Actions>
      </>
    ),
  }
}

export const showRecoveryCodes: PageHandler = (_context, call) => {
  return {
    content: (
      <>
        <h1>New recovery codes</h1>
        <p class="lead">You get ten new codes, and the old ones work no longer.</p>
        <RowForm call={call} path={recoveryCodesPath}>
          <Actions>
            <Submit>Make new codes</Submit>
            <a class="button second" href="/account">
              Keep the old ones
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
  return recoveryCodesPage(context, call, { codes: made.codes, target: '/account' })
}
