// A person makes an integration of their own, the first one or another.
import { createIntegration } from '#auth/accounts/members.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { formLimits, formOf } from '#http/html/form.ts'
import { formTokenOf, isSameToken } from '#http/html/form-token.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { RequestContext } from '#http/request-context.ts'
import { actOf, pathOf } from './call.ts'
import type { PortalContext } from './context.ts'
import { browserOf, cookieOf, cookieText, type FormBrowser } from '#http/origins/page-cookies.ts'
import { staleForm } from './failure.tsx'
import { lineOf } from '#http/html/form-text.ts'
import { refusalText } from './refusals.ts'
import { redirectTo } from '#http/html/redirect.ts'
import { pageResponse } from '#http/html/page-response.tsx'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'

export const newIntegrationPath = '/new'

export const newIntegrationEndpoints = (portal: PortalContext): PlainEndpoint[] => [
  {
    path: newIntegrationPath,
    methods: ['GET', 'HEAD', 'POST'],
    async answer(request) {
      request.settings = { surface: 'site', bodyLimits: formLimits }
      const token = cookieOf(request, portal.own, 'session')
      const session = token === null ? null : await portal.sessions.find(token)
      if (session === null) return redirectTo(signInPath(newIntegrationPath))
      const asked = { portal, request, session, browser: browserOf(request, portal) }
      return request.request.method === 'POST' ? receive(asked) : show(asked, {})
    },
  },
]

type Asked = {
  readonly portal: PortalContext
  readonly request: RequestContext
  readonly session: Session
  readonly browser: FormBrowser
}

type Given = {
  readonly name?: string
  readonly fault?: string | undefined
  readonly alert?: string
  readonly status?: number
}

const tokenOf = ({ portal, session, browser }: Asked) =>
  formTokenOf(portal.hmac, {
    browser: browser.value,
    session: session.id,
    path: newIntegrationPath,
  })

const show = (asked: Asked, { name = '', fault, alert, status = 200 }: Given): Response => {
  const { portal, browser } = asked
  return pageResponse(
    portal,
    {
      title: 'New integration',
      status,
      content: (
        <main class="narrow">
          <h1>New integration</h1>
          <p class="lead">
            An integration is what calls the API: it has keys, webhooks and members of its own, and
            a sandbox with invented patients at once.
          </p>
          {alert !== undefined && <Alert>{alert}</Alert>}
          <form method="post" action={newIntegrationPath} class="stack" novalidate>
            <Hidden name="form" value={tokenOf(asked)} />
            <Hidden name="once" value={Buffer.from(portal.randomBytes(18)).toString('base64url')} />
            <Field
              name="name"
              label="Name"
              hint="Of your brand or product. You can change it."
              value={name}
              fault={fault}
              focus
              input={{ maxlength: 200 }}
            />
            <div class="actions">
              <button class="button">Make the integration</button>
              <a class="button second" href="/?all">
                Your integrations
              </a>
            </div>
          </form>
          <p class="fine">
            To work on an integration of others, ask one of its owners to invite{' '}
            {asked.session.person.email}.
          </p>
        </main>
      ),
    },
    browser.isNew ? [cookieText(portal.own, 'form', browser.value)] : [],
  )
}

async function receive(asked: Asked): Promise<Response> {
  const { portal, request, session, browser } = asked
  const form = await formOf(request)
  const { method, headers } = request.request
  const isOwn = portal.own.isOwn({ method, header: name => headers.get(name) })
  if (browser.isNew || !isOwn || !isSameToken(tokenOf(asked), form.get('form'))) {
    return staleForm(portal, newIntegrationPath)
  }
  const { value: name, fault } = lineOf(form, 'name', 'Name')
  if (fault !== undefined) return show(asked, { name, fault, status: 422 })
  const act = { ...actOf(request, session), once: form.get('once') }
  const made = await portal.pool.use(connection =>
    createIntegration(connection, { name, owner: session.person.id }, act),
  )
  if (made.refusal === null) {
    return redirectTo(pathOf('home', { integration: made.integration, mode: 'test' }))
  }
  if (made.refusal === 'already_sent') return redirectTo('/?all')
  return show(asked, { name, alert: refusalText(made.refusal), status: 409 })
}
