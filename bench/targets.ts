// The platform's targets, and what each target means for users. A result without a row here has
// only its benchmark's own target, or none.
/** `id` is the row's ID below; absent for a single benchmark's target. */
export type Target = { kind: 'at least' | 'at most'; value: number; id?: string }
export const atLeast = (value: number): Target => ({ kind: 'at least', value })
export const atMost = (value: number): Target => ({ kind: 'at most', value })

type TargetRow = Readonly<{ kind: Target['kind']; value: number; means: string }>
const min = (value: number, means: string): TargetRow => ({ kind: 'at least', value, means })
const max = (value: number, means: string): TargetRow => ({ kind: 'at most', value, means })

export const targets = {
  'P1 one tenant': min(0.8, 'one customer stores patients nearly as fast as the database can'),
  'P1 eight tenants': min(0.7, "customers who write at the same time don't wait for each other"),
  'P1 p99': max(2, 'even the slowest of a hundred writes is fast enough'),
  'P1b commits': max(1.05, "a write without listeners doesn't pay for them"),
  'P1b time': max(1.05, "a write without listeners doesn't pay for them"),
  'P1c one tenant': max(
    1.5,
    'what a write promises costs PostgreSQL half again as much as its rows, not twice',
  ),
  'P1c eight tenants': max(1.5, 'also when customers write at the same time'),
  'P2 write': max(2, 'a write stays fast when the database is on another machine'),
  'P2 read': max(1, 'and so does a read'),
  P3: min(0.9, 'a retry after a lost response costs no more than a read'),
  P4: max(1.2, 'a list is as fast after years as on the first day'),
  'P4 expired': max(1.2, "expired rows awaiting deletion don't slow lists down"),
  P5: min(0.7, 'reading one patient, with its audit row, costs little more than the database'),
  'P6 p50': max(4, 'a receiver learns of a change as the call that made it returns'),
  'P6 p99': max(15, 'even when many things change at once'),
  'P6 growth': max(1.2, "other endpoints and a long history don't slow deliveries down"),
  'P7 loop': min(0.25, "the backlog after a receiver's outage clears quickly"),
  'P7 floor': max(2, 'what a delivery promises costs PostgreSQL no more than its rows again'),
  'P7 sender': max(70, 'one worker keeps up with many receivers'),
  P8: min(0.95, 'pages need no static file server in front'),
  'P8 unchanged': min(0.85, 'nor does a page that the reader has'),
  'P9 new': max(110, "a processor answers thousands of agents' new questions a second"),
  'P9 repeated': min(0.5, 'and a common question costs as little as a small request'),
  P10: min(0.75, "three of four questions in readers' own words find the right page first"),
  'P10 five': min(0.95, 'and nearly all of them among the first five'),
  'P11 calls': max(2, 'agent checkouts and messages cost as little as a small request'),
  'P11 booking': min(0.8, 'a booking takes as long as storing it'),
  'P12 new library': min(6, "a tool call is cheaper than with the protocol's library"),
  'P12 old library': min(8, 'and than with its earlier version'),
  'P13 today': max(5, 'the current site builds while you wait'),
  'P13 whole': max(30, 'a thousand articles are published from scratch in half a minute'),
  'P13 change': max(6, 'an edited article is published in seconds'),
  'P14 npm start': max(1500, "a developer who restarts the platform doesn't have to wait"),
  'P15 idle': max(150, 'a small machine is enough'),
  'P15 busy': max(180, 'and still is under load'),
  P16: max(2, 'with ten times the requests, the slowest of a hundred takes at most twice as long'),
  'P18 token': min(0.95, 'a call with a token costs the same as one with a key'),
  'P18 tool': max(25, 'a tool call costs an agent no more than REST'),
  'P20 search': max(100, 'staff find a patient among a million as they type'),
  'P21 paint': max(1500, 'a member on a phone sees the portal within a second and a half'),
  'P21 page': max(50, 'each page opens at once, with 100,000 cases or a million requests'),
} as const satisfies Record<string, TargetRow>

export type TargetId = keyof typeof targets

export function targetOf(id: TargetId): Target {
  const { kind, value } = targets[id]
  return { kind, value, id }
}

export const meaningOf = (id: string | undefined): string =>
  Object.entries(targets).find(([name]) => name === id)?.[1].means ?? ''
