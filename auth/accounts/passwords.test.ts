import { expect, test } from 'bun:test'
import { isBreached } from './breached-passwords.ts'
import { openBreachService, passwordFault } from './passwords.ts'

/** A thousand characters without a pattern. */
const long = Array.from({ length: 1100 }, (_, at) =>
  String.fromCharCode(33 + ((at * 7919 + ((at * at) % 89) * 31) % 94)),
).join('')

test('passwords: 12 to 1,000 characters are accepted, and one more or less is not', async () => {
  const few = 'Use at least 12 characters.'
  const many = 'Use at most 1000 characters.'
  const faults = [11, 12, 1000, 1001].map(length => passwordFault(long.slice(0, length), []))
  expect(await Promise.all(faults)).toEqual([few, undefined, undefined, many])
})

const known = ['Example Health', 'Riverside Clinic', 'admin@example.com', 'Grace Hopper']

test.each([
  'Welcome2026!!',
  'P@ssw0rd2026!!',
  'hospital2026!',
  '2026!hospital',
  'examplehealth2026',
  'ExampleHealth!2026',
  'riverside-clinic-26',
  'admin@example.com1',
  'GraceHopper1906',
  'hopper.grace.2026',
  'correcthorsebatterystaple',
  'Correct Horse Battery Staple',
  // A common word in full-width letters, and a common word whose accent is a separate character.
  '\uff37\uff45\uff4c\uff43\uff4f\uff4d\uff452026!!',
  // This password is on a list of breached passwords.
  'set123qweasdzxc',
  'Mailcreated5240',
  'riverside '.repeat(100),
])('passwords: %p is refused', async password => {
  expect(await passwordFault(password, known)).toMatch(/^That password is (too easy|on a list)/)
})

test.each([
  'velvet canyon otter lantern',
  'vintage lobster cathedral',
  'Tq7#vLp92!xR',
  '7d92-k41x-88q0-m3',
  'глобус трамвай чайник',
])('passwords: %p can be chosen', async password => {
  expect(await passwordFault(password, known)).toBeUndefined()
})

test('passwords: of a thousand unlisted ones, few or none are mistaken for breached', async () => {
  const invented = Array.from({ length: 1000 }, () => crypto.randomUUID().replaceAll('-', ''))
  const found = await Promise.all(invented.map(isBreached))
  expect(found.filter(Boolean).length).toBeLessThan(12)
})

test('the breach service gets only five characters of a hash, and may be unavailable', async () => {
  const password = 'velvet canyon otter lantern'
  const hash = new Bun.CryptoHasher('sha1').update(password).digest('hex').toUpperCase()
  const asked: string[] = []
  let answer = () => new Response(`${'0'.repeat(35)}:3\r\n${hash.slice(5)}:12\r\n`)
  using server = Bun.serve({
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return answer()
    },
  })
  const isListed = openBreachService(`http://localhost:${server.port}/range/`)
  expect(await passwordFault(password, [], isListed)).toStartWith('That password is on a list')
  expect(asked).toEqual([`/range/${hash.slice(0, 5)}`])
  for (const other of [
    // Padding, which appeared in no breach.
    () => new Response(`${hash.slice(5)}:0`),
    () => new Response(`${'0'.repeat(35)}:3`),
    () => new Response('', { status: 503 }),
  ]) {
    answer = other
    expect(await passwordFault(password, [], isListed)).toBeUndefined()
  }
  const away = openBreachService('http://localhost:1/range/')
  expect(await passwordFault(password, [], away)).toBeUndefined()
})
