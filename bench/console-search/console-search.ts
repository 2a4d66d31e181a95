// Finds one patient in a million, through the console's pipeline: the time to the full response,
// compared with a plain pattern search that uses a trigram index.
import { SQL } from 'bun'
import { openTestConsole } from '#clinical/testing/staff.ts'
import type { Cluster } from '../harness/environment.ts'
import { fixturesIn } from '../harness/fixtures.ts'
import type { Options } from '../harness/options.ts'
import { median, percentile, type Result, rowOf } from '../harness/rounds.ts'
import { watchWholeReads } from '../pages/whole-reads.ts'
import { targetOf } from '../targets.ts'
import { fillPatients } from './fill-patients.ts'

const searchesEach = 20

/**
 * Searches from the rarest to the most common, including a name with 5,000 matches and one with
 * 150,000.
 */
const searches = [
  'known@example.com',
  'MRN-KNOWN',
  '06/02/1979',
  'garcia 06/02/1979',
  'obrien jose',
  'jos gar',
  'garcia',
  'jo s',
  'ma',
  'zzzz',
] as const

const peer = `
  select id, first_name, last_name, date_of_birth from live.patients
   where (first_name || ' ' || last_name) ilike all ($1::text[])
   order by last_name, first_name limit 26`

/** The peer's search terms: words in the name, exactly as spelled. */
const peerWords = (search: string): string[] | null =>
  /^[a-z ]+$/.test(search) ? search.split(' ').map(word => `%${word}%`) : null

type Measured = { search: string; ours: number[]; peer: number[]; found: number }

const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b)
const p99 = (times: readonly number[]) => percentile(sorted(times), 0.99)

export async function consoleSearch(options: Options, cluster: Cluster): Promise<Result> {
  const count = options.isShort ? 2000 : 1_000_000
  return cluster.withEnvironment('search', async environment => {
    const fixtures = await fixturesIn(environment)
    await fillPatients(fixtures, count)
    const staff = openTestConsole(fixtures)
    const as = await staff.hire(['nurse'])
    const plain = new SQL(fixtures.database.url, { max: 1 })
    const timed = async (work: () => Promise<unknown>, times: number[]) => {
      const started = performance.now()
      await work()
      times.push(performance.now() - started)
    }
    const measured: Measured[] = []
    for (const search of searches) {
      const one: Measured = { search, ours: [], peer: [], found: 0 }
      const words = peerWords(search)
      const ask = async () => {
        const { data } = await staff.ok('findPatients', { as, query: { q: search } })
        one.found = data.length
      }
      const askPeer = () => plain.unsafe(peer, [plain.array(words ?? [], 'text')])
      await ask()
      if (words) await askPeer()
      for (let at = 0; at < (options.isShort ? 1 : searchesEach * options.rounds); at++) {
        await timed(ask, one.ours)
        if (words && at % searchesEach === 0) await timed(askPeer, one.peer)
      }
      measured.push(one)
    }
    await plain.close()
    await staff.close()
    const watched = await watchWholeReads(fixtures.database.url, count / 10)
    const again = openTestConsole(fixtures)
    const wholeReads = await watched.during(async () => {
      for (const q of searches) await again.ok('findPatients', { as, query: { q } })
    })
    await again.close()
    await watched.close()
    await fixtures.close()
    return resultOf(measured, count, wholeReads)
  })
}

function resultOf(measured: readonly Measured[], count: number, wholeReads: string[]): Result {
  const found = measured.filter(one => one.found > 0)
  return {
    rows: [
      rowOf({
        unit: 'ms',
        peer: null,
        target: targetOf('P20 search'),
        job: `finding a patient among ${count.toLocaleString('en-US')}, p99`,
        ours: [p99(measured.flatMap(({ ours }) => ours))],
      }),
    ],
    notes: [
      ...measured.map(
        ({ search, ours, peer: other, found: rows }) =>
          `${search}: ${rows} rows, median ${median(ours).toFixed(1)} ms, p99 ${p99(ours).toFixed(1)} ms${
            other.length === 0 ? '' : `; trigrams: median ${median(other).toFixed(1)} ms`
          }`,
      ),
      ...wholeReads,
    ],
    proofs: [
      { what: 'searches with results', expected: searches.length - 1, found: found.length },
      { what: 'sorts and scans of a whole table', expected: 0, found: wholeReads.length },
    ],
  }
}
