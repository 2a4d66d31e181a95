// Recovery codes, which are shown once and work like a second factor on paper.
import { newRecoveryCodes, replaceRecoveryCodes } from '../../accounts/recovery-codes.ts'
import type { PageCall, PageContext, PageHandler } from '../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from '../parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { ownActOf } from '../audit.ts'

const recoveryCodesPath = '/recovery-codes'

type ShownCodes = {
  readonly codes: readonly string[]
  readonly target: string
  readonly cookies?: readonly string[]
}

/** Contains no form, because the same response may renew the session. */
export function recoveryCodesPage(
  { site, handoffUrls }: PageContext,
  call: PageCall,
  { codes, target, cookies = [] }: ShownCodes,
): PageAnswer {
  const { email } = call.session.person
  const file = `${site.name} recovery codes for ${email}. Each works once.\n\n${codes.join('\n')}\n`
  const next = target === '/' ? (handoffUrls.portal ?? '/') : target
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
          <a class="button" href={next}>
            I’ve saved them
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
        <p class="lead">You’ll get ten new codes. The old ones stop working.</p>
        <RowForm call={call} path={recoveryCodesPath}>
          <Actions>
            <Submit>Create new codes</Submit>
            <a class="button second" href="/account">
              Cancel
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
