// The facts about a grant: who asked, under which agreement, who decided and when it ended.

import type { AgreementRow } from '#auth/agreements/agreements.ts'
import type { GrantRow } from '#auth/grants/grants.ts'
import { textFact, timeFact } from '#http/html/grant-parts.tsx'
import { Badge, Time } from '#http/html/parts.tsx'

export const factsOf = (grant: GrantRow, agreements: readonly AgreementRow[]) => {
  const agreement = agreements.find(one => one.is_in_force)
  return [
    ['Integration', <code>{grant.integration}</code>] as const,
    [
      'Requested',
      <>
        <Time at={grant.created_at} /> by {grant.requested_by_name ?? 'an operator'}
      </>,
    ] as const,
    [
      'Agreement',
      agreement === undefined ? (
        <>
          <Badge tone="waiting">None in effect</Badge> Requests fail until the integration accepts
          one.
        </>
      ) : (
        <>
          Version {agreement.version}, accepted <Time at={agreement.accepted_at} />
          {agreement.signatory_name !== null &&
            ` by ${agreement.signatory_name}, ${agreement.signatory_title ?? ''}`}
        </>
      ),
    ] as const,
    ...textFact('Their note', grant.note),
    ...(grant.status === 'pending' ? timeFact('Expires', grant.lapses_at) : []),
    ...timeFact('Decided', grant.decided_at),
    ...(grant.decided_by_name === null ? [] : [['Decided by', grant.decided_by_name] as const]),
    ...textFact('Your note', grant.decision_note),
    ...timeFact('Ended', grant.ended_at),
    ...(grant.ended_by_name === null ? [] : [['Ended by', grant.ended_by_name] as const]),
  ]
}
