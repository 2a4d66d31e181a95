// The page after a form that sends a link: where the email went, and what to do if it doesn't
// arrive.
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Hidden } from '#http/html/fields.tsx'
import { RowForm } from '#http/html/parts.tsx'
import type { AnyCall, PageContext } from './context.ts'
import { Actions, Submit } from './parts.tsx'

type EmailSent = {
  readonly email: string
  /** The link's purpose, after “Open it to”. */
  readonly purpose: string
  /** The form that sent the email, with its fields, to send the email again or correct the
   *  address. */
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Whether only an address with an account gets a link. */
  readonly needsAccount?: boolean
}

/** Doesn't disclose whether an email was sent: not to an inbox that just got several links, and no
 *  recovery link to an address without an account. */
export const emailSentPage = (
  { mailUrl }: PageContext,
  call: AnyCall,
  { email, purpose, path, fields, needsAccount = false }: EmailSent,
): PageAnswer => {
  const isAgain = call.form.has('again')
  return {
    title: 'Check your email',
    content: (
      <>
        <h1>Check your email</h1>
        <p class="lead">
          <SentTo email={email} isAgain={isAgain} needsAccount={needsAccount} /> Open it to{' '}
          {purpose}.
        </p>
        {isAgain && (
          <p class="note" role="status">
            Sent again. Use the newest email.
          </p>
        )}
        {mailUrl === null ? (
          <p>Didn’t get it? Check your spam folder, or send the link again.</p>
        ) : (
          <p>
            This server doesn’t send email. <a href={mailUrl}>Open the mail page</a> to read it.
          </p>
        )}
        <p class="fine">
          We send only a few links an hour to one inbox. If none arrives, try again in an hour.
        </p>
        <RowForm call={call} path={path}>
          {Object.entries(fields).map(([name, value]) => (
            <Hidden key={name} name={name} value={value} />
          ))}
          <Actions>
            <Submit class="button second" name="again" value="yes">
              Send again
            </Submit>
            <Submit class="link" name="edit" value="yes">
              Wrong address?
            </Submit>
          </Actions>
        </RowForm>
      </>
    ),
  }
}

type SentToProps = { email: string; isAgain: boolean; needsAccount: boolean }

function SentTo({ email, isAgain, needsAccount }: SentToProps) {
  const address = <strong class="address">{email}</strong>
  const link = `${isAgain ? 'another' : 'a'} link`
  return needsAccount ? (
    <>
      If {address} has an account, we sent it {link}.
    </>
  ) : (
    <>
      We sent {link} to {address}.
    </>
  )
}
