import { describe, expect, test } from 'bun:test'
import { idPattern, momentOf } from '#contract/ids.ts'
import { invoke } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

// The catalog, written out here so a changed row fails a test: id | name | form | strength |
// category | unit | default_quantity | max_quantity | default_days_supply | dispensable |
// controlled | directions
const catalogTable = `
med_01ke5q8600cs8dx2pfwah5v0tz | Semaglutide | injection pen | 0.25 mg/0.5 mL | weight_management | pen | 4 | 12 | 28 | true | false | Inject 0.25 mg under the skin once a week.
med_01ke5q86z8a2m9sxxch1q9x5rf | Semaglutide | injection pen | 0.5 mg/0.5 mL | weight_management | pen | 4 | 12 | 28 | true | false | Inject 0.5 mg under the skin once a week.
med_01ke5q87ygn54g6v0r82nj6nzf | Semaglutide | injection pen | 1 mg/0.5 mL | weight_management | pen | 4 | 12 | 28 | true | false | Inject 1 mg under the skin once a week.
med_01ke5q88xrxr4kgtvh95kbp8f0 | Tirzepatide | injection pen | 2.5 mg/0.5 mL | weight_management | pen | 4 | 12 | 28 | true | false | Inject 2.5 mg under the skin once a week.
med_01ke5q89x0zqhsfg728cxkxx41 | Tirzepatide | injection pen | 5 mg/0.5 mL | weight_management | pen | 4 | 12 | 28 | true | false | Inject 5 mg under the skin once a week.
med_01ke5q8aw89wgs4n5vk6e18gcv | Metformin ER | tablet | 500 mg | weight_management | tablet | 60 | 360 | 30 | true | false | Take 1 tablet by mouth twice a day with meals.
med_01ke5q8bvgja659xckdhgsedqz | Naltrexone-bupropion ER | tablet | 8 mg/90 mg | weight_management | tablet | 120 | 360 | 30 | true | false | Take 2 tablets by mouth twice a day.
med_01ke5q8ctreeemnwfqaxt9h7zh | Sildenafil | tablet | 50 mg | sexual_health | tablet | 10 | 30 | 30 | true | false | Take 1 tablet by mouth 1 hour before sexual activity, at most once a day.
med_01ke5q8dt0pzq3nmnav834y3qp | Sildenafil | tablet | 100 mg | sexual_health | tablet | 10 | 30 | 30 | true | false | Take 1 tablet by mouth 1 hour before sexual activity, at most once a day.
med_01ke5q8es8m95te86jatf0wmk5 | Tadalafil | tablet | 5 mg | sexual_health | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q8frgp5z1kgzpk14skt57 | Tadalafil | tablet | 20 mg | sexual_health | tablet | 10 | 30 | 30 | true | false | Take 1 tablet by mouth before sexual activity, at most once a day.
med_01ke5q8gqrs1ab0we2nzrrb4r6 | Valacyclovir | tablet | 500 mg | sexual_health | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q8hq0wsm02p3bzz9y5x8c | Valacyclovir | tablet | 1 g | sexual_health | tablet | 4 | 30 | 1 | true | false | Take 2 tablets by mouth every 12 hours for 1 day.
med_01ke5q8jp847h2rztk82zj43d2 | Finasteride | tablet | 1 mg | hair_loss | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q8kng4vn69bsmb6sk3ncm | Minoxidil | tablet | 2.5 mg | hair_loss | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q8mmrtq054hbr3zgrpejx | Minoxidil foam (over the counter) | topical foam | 5 % | hair_loss | can | 1 | 3 | 30 | false | false | Apply half a capful to the dry scalp once a day.
med_01ke5q8nm013j2m1v4y0tt17kh | Tretinoin | cream | 0.025 % | dermatology | g | 45 | 90 | 60 | true | false | Apply a pea-sized amount to the face at night.
med_01ke5q8pk8fw14jqnw2qjnzfs6 | Tretinoin | cream | 0.05 % | dermatology | g | 45 | 90 | 60 | true | false | Apply a pea-sized amount to the face at night.
med_01ke5q8qjg82r832swnftwehw9 | Clindamycin | lotion | 1 % | dermatology | mL | 60 | 120 | 30 | true | false | Apply a thin layer to the affected skin twice a day.
med_01ke5q8rhrx6mrrnpyy61s01xb | Doxycycline hyclate | capsule | 100 mg | dermatology | capsule | 30 | 90 | 30 | true | false | Take 1 capsule by mouth once a day with a full glass of water.
med_01ke5q8sh0vr0zmcfcg3tmnv91 | Spironolactone | tablet | 50 mg | dermatology | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q8tg8g7q922ehb225a1e9 | Metronidazole | gel | 0.75 % | dermatology | g | 45 | 90 | 30 | true | false | Apply a thin layer to the face twice a day.
med_01ke5q8vfgt0xy0atrdpzhhk8a | Norethindrone | tablet | 0.35 mg | contraception | tablet | 28 | 84 | 28 | true | false | Take 1 tablet by mouth at the same time every day.
med_01ke5q8wer0c715gxq29q96m4z | Drospirenone-ethinyl estradiol | tablet | 3 mg/0.02 mg | contraception | tablet | 28 | 84 | 28 | true | false | Take 1 tablet by mouth at the same time every day.
med_01ke5q8xe0brwx0aamw1z7x8xz | Estradiol | transdermal patch | 0.05 mg/day | menopause | patch | 8 | 24 | 28 | true | false | Apply 1 patch to the lower abdomen twice a week.
med_01ke5q8yd8xfq6bnxtvnpp1sp6 | Progesterone | capsule | 100 mg | menopause | capsule | 30 | 90 | 30 | true | false | Take 1 capsule by mouth at bedtime.
med_01ke5q8zcgqp83tffsdb0yzy2a | Sertraline | tablet | 50 mg | mental_health | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q90br9eecz7x7rpnsg8z9 | Escitalopram | tablet | 10 mg | mental_health | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q91b0wmmav9x8sevr5n9x | Bupropion XL | tablet | 150 mg | mental_health | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth every morning.
med_01ke5q92a8tksansghent0p4bd | Propranolol | tablet | 10 mg | mental_health | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth 1 hour before the event, as needed.
med_01ke5q939gd4bmzgvqhve6xhb6 | Trazodone | tablet | 50 mg | sleep | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth at bedtime.
med_01ke5q948r46sdmp5xj74wxcpm | Hydroxyzine HCl | tablet | 25 mg | sleep | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth at bedtime as needed.
med_01ke5q9580rmjc1ba7tafmz1cs | Lisinopril | tablet | 10 mg | primary_care | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q9678y8teyb1j260xv7th | Atorvastatin | tablet | 20 mg | primary_care | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth once a day.
med_01ke5q976gb3d2gzppddbxff0w | Levothyroxine | tablet | 50 mcg | primary_care | tablet | 30 | 90 | 30 | true | false | Take 1 tablet by mouth every morning on an empty stomach.
med_01ke5q985rmbq6cydbwnpb0n0b | Albuterol HFA | inhaler | 90 mcg/actuation | primary_care | inhaler | 1 | 3 | 30 | true | false | Inhale 2 puffs every 4 to 6 hours as needed.
med_01ke5q99504k129yeenzt39kz0 | Nitrofurantoin | capsule | 100 mg | acute_care | capsule | 10 | 14 | 5 | true | false | Take 1 capsule by mouth twice a day with food.
med_01ke5q9a48rqax9t01adrpbtdz | Fluconazole | tablet | 150 mg | acute_care | tablet | 1 | 2 | 1 | true | false | Take 1 tablet by mouth as a single dose.
med_01ke5q9b3gq8ps0n4r2d77bf24 | Sumatriptan | tablet | 50 mg | acute_care | tablet | 9 | 18 | 30 | true | false | Take 1 tablet by mouth at the start of a migraine. May repeat once after 2 hours.
med_01ke5q9c2r4fm3dv2b67y2cj1p | Cetirizine (over the counter) | tablet | 10 mg | acute_care | tablet | 30 | 90 | 30 | false | false | Take 1 tablet by mouth once a day.`

const expected = catalogTable
  .trim()
  .split('\n')
  .map(line => line.split(' | '))
  .map(([medication_id, name, form, strength, category, unit, quantity, max, days, ...rest]) => ({
    medication_id,
    name,
    form,
    strength,
    category,
    unit,
    default_quantity: Number(quantity),
    max_quantity: Number(max),
    default_days_supply: Number(days),
    default_directions: rest[2],
    dispensable: rest[0] === 'true',
    controlled: rest[1] === 'true',
  }))

/** Returns the first 80 bits of a SHA-256 as sixteen Crockford characters. */
function digestOf(text: string): string {
  const hex = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 20)
  const bits = BigInt(`0x${hex}`).toString(2).padStart(80, '0')
  const fives = bits.match(/.{5}/g) ?? []
  return fives.map(five => '0123456789abcdefghjkmnpqrstvwxyz'[Number.parseInt(five, 2)]).join('')
}

describe('medication catalog 200', () => {
  test('lists the forty entries, byte for byte', async () => {
    const whole = await invoke(fixtures, 'listMedications', { query: { limit: '100' } })
    expect(whole.text).toBe(JSON.stringify({ data: expected, has_more: false }))
  })

  test('getMedication returns each entry', async () => {
    for (const entry of expected) {
      const { text } = await invoke(fixtures, 'getMedication', { id: entry.medication_id ?? '' })
      expect(text).toBe(JSON.stringify(entry))
    }
  })

  test('an ID is a second on 2026-01-05 and a digest, so catalog order is ID order', () => {
    const start = Date.parse('2026-01-05T00:00:00Z')
    const ids = expected.map(entry => entry.medication_id ?? '')
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const [row, { medication_id = '', name, form, strength }] of expected.entries()) {
      expect(medication_id).toMatch(new RegExp(idPattern('med')))
      expect(medication_id.slice(4, 14)).toBe(momentOf(start + row * 1000))
      expect(medication_id.slice(14)).toBe(digestOf(`${name}${form}${strength}`))
    }
  })

  test('every default quantity is within its maximum, and no entry is controlled', () => {
    for (const entry of expected) {
      expect(entry.default_quantity).toBeGreaterThanOrEqual(1)
      expect(entry.default_quantity).toBeLessThanOrEqual(entry.max_quantity)
      expect(entry.max_quantity).toBeLessThanOrEqual(1000)
      expect(entry.controlled).toBe(false)
    }
  })

  test('the catalog is the same for every caller', async () => {
    const bodies = await Promise.all(
      [fixtures.ada.test, fixtures.ben.test, fixtures.ada.live].map(as =>
        invoke(fixtures, 'listMedications', { as }),
      ),
    )
    expect(new Set(bodies.map(one => one.text)).size).toBe(1)
  })
})
