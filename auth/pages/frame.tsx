// The frame around the account pages: a bar that shows who is signed in.
import { type Site, Wordmark } from '#http/html/document.tsx'
import { Hidden } from '#http/html/fields.tsx'
import type { Page, WholePage } from '#http/pages/answer.tsx'
import type { AnyCall } from './context.ts'

type TitledPage = Page & { readonly title: string }

const SignOut = ({ call }: { call: AnyCall }) => (
  <form method="post" action="/sign-out" class="inline" novalidate>
    <Hidden name="form" value={call.formToken('/sign-out')} />
    <button class="link">Sign out</button>
  </form>
)

/** `call` is null for a failure page. */
export function framed(
  site: Site,
  { content, bar, ...page }: TitledPage,
  call: AnyCall | null,
): WholePage {
  const email = bar === 'empty' ? undefined : call?.session?.person.email
  return {
    ...page,
    body: (
      <>
        <header class="bar">
          <div>
            <Wordmark site={site} />
            {call !== null && email !== undefined && (
              <div class="who">
                <a class="who-email" href="/account">
                  {email}
                </a>
                {bar === undefined && <SignOut call={call} />}
              </div>
            )}
          </div>
        </header>
        <main>{content}</main>
      </>
    ),
  }
}
