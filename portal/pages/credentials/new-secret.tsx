// Adds a second secret to a client, to replace the first.
import { addClientSecret } from '#auth/administration.ts'
import type { IntegrationClient } from '#auth/integration-clients.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import { refusalText } from '../../refusals.ts'
import { clientOfPath, noSuchClient } from './client.tsx'
import { secretShownOnce } from './new-client.tsx'

const secretForm = (
  call: MemberCall,
  { id, name, secrets }: IntegrationClient,
  alert?: string,
) => ({
  title: `New secret for ${name}`,
  status: alert === undefined ? 200 : 409,
  content: (
    <>
      <Heading
        title={`New secret for “${name}”`}
        lead={
          secrets.length === 0
            ? 'The client can get tokens again once your server uses this secret.'
            : 'Both secrets will work. Switch your server to the new one, then revoke the old one.'
        }
      />
      {alert !== undefined && <Alert>{alert}</Alert>}
      <RowForm call={call} path={call.pathOf('addSecret', { id })} class="stack">
        <div class="actions">
          <button class="button">Add secret</button>
          <a class="button second" href={call.pathOf('client', { id })}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

export const newSecret: PortalHandler = async (portal, call) => {
  const client = await clientOfPath(portal, call)
  return client === null ? noSuchClient(call) : secretForm(call, client)
}

export const addSecret: PortalHandler = async (portal, call) => {
  const client = await clientOfPath(portal, call)
  if (client === null) return noSuchClient(call)
  const { member, act, form } = call
  const asked = { client: client.id, integration: member.integration }
  const made = await portal.pool.use(connection =>
    addClientSecret(connection, portal.pepper, asked, { ...act, once: form.get('once') }),
  )
  if (made.refusal !== null) return secretForm(call, client, refusalText(made.refusal))
  return secretShownOnce(portal, call, {
    title: `New secret for “${client.name}”`,
    client: client.id,
    secret: made.secret,
  })
}
