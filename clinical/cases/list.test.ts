import { beforeAll, describe, expect, test } from 'bun:test'
import { consentedPatient, invoke, caseBody, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId } from '../testing/assertions.ts'

const fixtures = useFixtures()
let patient: string
type ListedCase = { id: string; created_at: string; status: string }
const all: ListedCase[] = []
beforeAll(async () => {
  const [one, other] = [await consentedPatient(fixtures), await consentedPatient(fixtures)]
  patient = one.patient
  for (let at = 0; at < 12; at++) {
    const body = caseBody(at % 3 === 0 ? other : one, { hold: at % 4 === 0 })
    all.push(await invokeOk(fixtures, 'createCase', { body }))
  }
  const id = all[1]?.id ?? ''
  all[1] = await invokeOk(fixtures, 'cancelCase', { id })
})

const list = async (query: Record<string, string>): Promise<ListedCase[]> =>
  (await invokeOk(fixtures, 'listCases', { query })).data

describe('listCases 200', () => {
  test('lists the oldest case first, each as getCase returns it', async () => {
    const page = await invoke(fixtures, 'listCases')
    const each = await Promise.all(all.map(({ id }) => invoke(fixtures, 'getCase', { id })))
    expect(page.text).toBe(`{"data":[${each.map(one => one.text).join(',')}],"has_more":false}`)
  })

  test('filters by status, by patient, and by both across pages', async () => {
    expect(await list({ status: 'received' })).toEqual(all.filter(one => one.status === 'received'))
    expect(await list({ status: 'cancelled' })).toEqual([all[1]] as ListedCase[])
    expect(await list({ status: 'approved' })).toEqual([])
    const own = all.filter((_, at) => at % 3 !== 0)
    expect(await list({ patient })).toEqual(own)
    const queued = own.filter(one => one.status === 'queued')
    const filter = { patient, status: 'queued', limit: '2' }
    const first = await list(filter)
    const second = await list({ ...filter, starting_after: first[1]?.id ?? '' })
    expect([...first, ...second]).toEqual(queued.slice(0, 4))
  })

  test('an unknown patient matches nothing', async () => {
    expect(await list({ patient: unknownId('pat') })).toEqual([])
  })

  test('created_after is exclusive, to the millisecond', async () => {
    const [, , third] = all
    const moment = third?.created_at ?? ''
    expect(await list({ created_after: moment })).toEqual(all.slice(3))
    const before = new Date(Date.parse(moment) - 1).toISOString()
    expect(await list({ created_after: before })).toEqual(all.slice(2))
    expect(await list({ created_after: moment.replace('Z', '999+00:00') })).toEqual(all.slice(3))
    expect(await list({ created_after: moment, starting_after: all[4]?.id ?? '' })).toEqual(
      all.slice(5),
    )
  })

  test.each(['1999-01-01', '1970-01-01', '1969-12-31T23:59:59.999Z', '0001-01-01'])(
    'created_after %s matches every case',
    async created_after => expect(await list({ created_after })).toEqual(all),
  )

  test.each(['9999-12-31T23:59:59.999Z', '2100-01-01'])(
    'created_after %s matches no case',
    async created_after => expect(await list({ created_after })).toEqual([]),
  )

  test('lists no case from another integration or the other mode', async () => {
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      for (const query of [{}, { patient }]) {
        const { text } = await invoke(fixtures, 'listCases', { as, query })
        expect(text).toBe('{"data":[],"has_more":false}')
      }
    }
  })
})

describe('listCases 400', () => {
  test.each<[string, string, string]>([
    ['status=open', '?status', 'not_in_enum'],
    ['patient=ada', '?patient', 'invalid_format'],
    ['created_after=yesterday', '?created_after', 'invalid_format'],
    ['created_after=2026-11-20T10:00:00', '?created_after', 'invalid_format'],
    ['created_after=2026-11-20T24:00:00Z', '?created_after', 'invalid_format'],
  ])('%s', async (query, pointer, code) => {
    expect(await expectFaults(fixtures, 'listCases', { query })).toEqual([[pointer, code]])
  })
})
