// One request: its response and its effects.
import { operationPath, problemPath } from '#content/reference.ts'
import { operations } from '#contract/api.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { isWrite } from '#contract/operation.ts'
import { hintOf, problemCodesOf, problems } from '#contract/problems.ts'
import { findIntegrationKey } from '#auth/integration-keys.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { findInClinics } from '../../for-clinic.ts'
import { Address, Facts, Heading, Id, Time } from '#http/html/parts.tsx'
import { missing, refused } from '../../refused.tsx'
import { Body, Caused } from './caused.tsx'
import type { Details } from './details.ts'
import { StatusBadge } from './status.tsx'
import { surfaceName } from '../surfaces.ts'

export const showRequest: PortalHandler = async (portal, call) => {
  const id = call.names['id'] ?? ''
  const back = call.pathOf('requests')
  if (!isId(prefixes.request, id)) return missing('Request not found', back, 'All requests')
  const { found, organization } = await findInClinics(call, 'getRequest', { names: { id } })
  if (found.problem?.code === 'not_found') {
    return missing('Request not found', back, 'All requests')
  }
  if (found.problem !== null) return refused(call, 'Request', found.problem)
  const request = found.value
  return {
    title: `${request.method} ${request.path}`,
    content: (
      <>
        <Heading
          title={<Address of={`${request.method} ${request.path}`} />}
          lead={<OperationLink site={portal.site.url} operation={request.operation} />}
        />
        <Facts of={await factsOf(portal, call, request, organization ?? undefined)} />
        {request.code !== null && <Refusal site={portal.site.url} request={request} />}
        <Body body={request.body} method={request.method} />
        <Caused call={call} request={request} />
      </>
    ),
  }
}

const OperationLink = ({ site, operation }: { site: string; operation: string }) =>
  Object.hasOwn(operations, operation) ? (
    <a href={site + operationPath(operation)}>{operation}</a>
  ) : (
    <>{operation}</>
  )

/** `clinic` is the one whose request log has the request. */
async function factsOf(
  portal: PortalContext,
  call: MemberCall,
  request: Details,
  clinic: string | undefined,
) {
  const { credential, target, organization } = request
  const isWriting = request.method !== 'GET'
  return [
    ['Request ID', <Id key="id" of={request.id} />],
    ['Status', <StatusBadge key="status" request={{ ...request, replayed: false }} />],
    ['Time', <Time key="at" at={request.created_at} />],
    ['Duration', `${request.duration_ms.toLocaleString('en-US')} ms`],
    [
      'Credential',
      credential === null ? 'Deleted' : await credentialLink(portal, call, credential, clinic),
    ],
    ['Via', surfaceName(request.surface)],
    ...(organization === null ? [] : [['Clinic', <Id key="organization" of={organization} />]]),
    ...(target === null ? [] : [['Target', targetLink(call, target)]]),
    ...(isWriting ? [['Idempotency', idempotencyText(request)]] : []),
  ] as const as Parameters<typeof Facts>[0]['of']
}

/** Sandbox cases have a page. */
const targetLink = (call: MemberCall, target: string) =>
  call.mode === 'test' && isId(prefixes.case, target) ? (
    <Id of={target} href={call.pathOf('sandboxCase', { id: target })} />
  ) : (
    <Id of={target} />
  )

const idempotencyText = ({ replayed }: Details) =>
  replayed
    ? 'Replayed. This key was used before, so we sent the stored response and changed nothing.'
    : 'First request with this key.'

async function credentialLink(
  { pool }: PortalContext,
  call: MemberCall,
  { id, name, last4 }: NonNullable<Details['credential']>,
  organization: string | undefined,
) {
  const text = `${name} …${last4}`
  const key = await findIntegrationKey(pool, call.member.integration, call.mode, id)
  return (
    <>
      {key === null ? text : <a href={call.pathOf('key', { id })}>{text}</a>}{' '}
      <a class="fine" href={call.pathOf('requests', {}, { credential: id, organization })}>
        View requests
      </a>
    </>
  )
}

/** Explains the code, and what to do next. */
function Refusal({ site, request }: { site: string; request: Details }) {
  const code = problemCodesOf('v1').find(one => one === request.code)
  if (code === undefined) return null
  return (
    <section class="part">
      <h2>{problems[code].title}</h2>
      <p>{hintOf(code, 'v1', isWrite(request))}</p>
      <p>
        <a href={site + problemPath(code)}>
          About <code>{code}</code>
        </a>
      </p>
    </section>
  )
}
