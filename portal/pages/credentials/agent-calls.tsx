// An agent's or device's requests in the last 30 days, by surface and operation.
import type { ApiResult, MemberCall } from '../../context.ts'
import type { Query } from '#http/pages/table.ts'
import { callForClinic } from '../../for-clinic.ts'
import type { organizationsOf } from '../../for-integration.ts'
import { ClinicForm } from '../../frame/clinic-choice.tsx'
import { Ago, Table } from '#http/html/parts.tsx'
import { operationName, surfaceName } from '../surfaces.ts'

type Counted = Extract<ApiResult<'countAgentCalls'>, { problem: null }>['value']['data']

export type AgentCalls = {
  readonly calls: Counted
  readonly organizations: ReturnType<typeof organizationsOf>
}

/** Null if the member may not read the request log. */
export async function countAgentCalls(
  call: MemberCall,
  of: { readonly client: string; readonly person: string },
): Promise<AgentCalls | null> {
  const { found, organizations } = await callForClinic(call, 'countAgentCalls', { query: of })
  if (found.problem !== null) return null
  return { calls: found.value.data, organizations }
}

type Props = {
  readonly call: MemberCall
  /** The request log filter that finds the agent's requests. */
  readonly filter: Query
  readonly of: AgentCalls
}

export const AgentCallTable = ({ call, filter, of }: Props) => {
  const { calls, organizations } = of
  const log = (more: Query = {}) => call.pathOf('requests', {}, { ...filter, ...more })
  return (
    <section>
      <h2>Activity in the last 30 days</h2>
      <ClinicForm call={call} row="memberAccess" organizations={organizations} />
      {calls.length === 0 ? (
        <p class="quiet">No requests yet. They show up about a second after the response.</p>
      ) : (
        <>
          <Table
            caption="Requests by tool and operation"
            head={['Tool or operation', 'Via', 'Succeeded', 'Refused', 'Failed', 'Last']}
            rows={calls.map(({ surface, operation, ...one }) => [
              <a href={log({ surface, operation })}>
                <code>{operationName(surface, operation)}</code>
              </a>,
              surfaceName(surface),
              one.answered,
              <Refused
                count={one.refused}
                href={log({ surface, operation, outcome: 'refused' })}
              />,
              one.failed,
              <Ago at={one.last_at} />,
            ])}
          />
          <p>
            <a href={log()}>All requests</a>
          </p>
        </>
      )}
    </section>
  )
}

const Refused = ({ count, href }: { count: number; href: string }) =>
  count === 0 ? <>0</> : <a href={href}>{count}</a>
