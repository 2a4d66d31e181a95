import type { Target } from '../targets.ts'
// Rounds, ratios and verdicts. Each ratio compares two sides measured close together in one round,
// because a machine's speed changes from minute to minute.

/** The value that a `share` of the sorted values doesn't exceed. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  return sorted[at] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Runs every side once per round, and starts each round with a different side. First runs one
 *  extra round and discards it, to warm up caches, plans and compiled code on all sides. */
export async function interleave<Sample>(
  rounds: number,
  sides: Readonly<Record<string, () => Promise<Sample>>>,
): Promise<Record<string, Sample[]>> {
  const all = Object.entries(sides)
  const samples = new Map(all.map(([name]): [string, Sample[]] => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    const first = round % all.length
    for (const [name, side] of [...all.slice(first), ...all.slice(0, first)]) {
      const sample = await side()
      if (round > 0) samples.get(name)?.push(sample)
    }
  }
  return Object.fromEntries(samples)
}

export type Comparison = {
  job: string
  unit: string
  ours: readonly number[]
  /** The peer; null if our own value is compared with the target. */
  peer: { name: string; rounds: readonly number[] } | null
  target: Target | null
}

export type Row = Comparison & {
  /** Our value divided by the peer's; without a peer, our value. */
  ratio: { median: number; min: number; max: number }
  verdict: 'met' | 'not met' | 'not separated' | '–'
}

export function rowOf(measured: Comparison): Row {
  const { ours, peer, target } = measured
  const ratios = peer ? ours.map((value, at) => value / (peer.rounds[at] ?? Number.NaN)) : ours
  const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) }
  return { ...measured, ratio, verdict: target ? verdict(ratio.median, measured, target) : '–' }
}

/** Two sides are separated if the worst round of one doesn't cross the other's median. Here the
 *  other side is the peer times the target, a value that would just meet the target. */
function verdict(
  ratio: number,
  { ours, peer }: Comparison,
  { kind, value }: Target,
): Row['verdict'] {
  const bound = peer ? peer.rounds.map(each => each * value) : [value]
  const isMet = kind === 'at least' ? ratio >= value : ratio <= value
  const isAbove = median(ours) >= median(bound)
  const [high, low] = isAbove ? [ours, bound] : [bound, ours]
  const isSeparated = Math.min(...high) >= median(low) || Math.max(...low) <= median(high)
  if (!isSeparated) return 'not separated'
  return isMet ? 'met' : 'not met'
}

/** Rounds to at most three significant digits. */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)))
}

/** A count taken after a run, which proves that the work was done. */
export type Proof = { what: string; expected: number; found: number }

export type Result = { rows: Row[]; notes: string[]; proofs: Proof[] }
