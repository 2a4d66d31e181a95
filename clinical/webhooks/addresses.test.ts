import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'bun:test'
import { type AddressRule, resolveBySystem } from '#http/outgoing/addresses.ts'
import { resolveAddress, vetUrl } from './addresses.ts'

const names: Record<string, string[]> = {
  'public.example': ['8.8.8.8', '2606:4700:4700::1111'],
  'inside.example': ['10.0.0.1'],
  'mixed.example': ['8.8.8.8', '10.0.0.1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'scoped.example': ['fe80::1%eth0'],
  'scoped-public.example': ['2606:4700:4700::1111%eth0'],
  'nonsense.example': ['not an address'],
}
const rule: AddressRule = {
  resolve: async host => names[host] ?? Promise.reject(new Error('NXDOMAIN')),
  allowed: [],
}
const vet = (url: string) => vetUrl(url, 'test', rule)

describe('webhook URL that is refused', () => {
  test.each([
    'http://public.example/',
    'ftp://public.example/',
    'https://user:pass@public.example/',
    'https://user@public.example/',
    'https://public.example/#part',
    'https://public.example/#',
    'https://localhost/',
    'https://localhost./',
    'https://hooks/',
    'https://printer.local/',
    'https://vault.internal/',
    'https://vault.internal./',
    'https://router.home.arpa/',
    'https://public.example:22/',
    'https://public.example:80/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://①②⑦.0.0.1/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::1]/',
    'https://[100::1]/',
    'https://[2001::1]/',
    'https://[2001:db8::1]/',
    'https://[2002:7f00:1::]/',
    'https://[3fff::1]/',
    'https://[5f00::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://inside.example/',
    'https://mixed.example/',
    'https://mapped.example/',
    'https://scoped.example/',
    'https://scoped-public.example/',
    'https://nonsense.example/',
    'nonsense',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(124)}example/`,
    'https://a_b.example/',
    'https://-a.example/',
    'https://a-.example/',
    'https://a..example/',
    'https://.example/',
    'https://public.example./',
    'https://public.example../',
    'https://public.123/',
    'https://public.0x1f/',
    'https://public.example\\',
    'https://public.example\\@8.8.8.8/',
    ' https://public.example/',
    'https://public.exa\nmple/',
  ])('%s', async url => {
    expect(await vet(url)).toBeString()
  })
})

describe('webhook URL that is accepted', () => {
  test.each([
    'https://public.example/hooks?token=1',
    'https://public.example:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://does-not-resolve-yet.example/',
    `https://${'a'.repeat(63)}.example/`,
    'https://3hooks.a--b.example/',
    'https://bücher.example/',
    'HTTPS://PUBLIC.EXAMPLE/',
  ])('%s', async url => {
    expect(await vet(url)).toBeNull()
  })
})

describe('allowed private address', () => {
  const allowed = [[ipaddr.parse('127.0.0.0'), 8] as const]
  test('is accepted only in test mode; other private addresses are refused', async () => {
    const here = { ...rule, allowed }
    expect(await vetUrl('https://127.0.0.1:8443/', 'test', here)).toBeNull()
    expect(await vetUrl('https://127.0.0.1:8443/', 'live', here)).toBeString()
    expect(await vetUrl('https://10.0.0.1/', 'test', here)).toBeString()
    expect(await vetUrl('https://[::1]/', 'test', here)).toBeString()
  })
})

describe('before an attempt', () => {
  const resolved = (host: string) => resolveAddress(new URL(`https://${host}/`), 'live', rule)
  test('a name resolves to its first address when all its addresses are public', async () => {
    expect(await resolved('public.example')).toEqual({ address: '8.8.8.8' })
    expect(await resolved('mixed.example')).toEqual({ refused: 'blocked_address' })
    expect(await resolved('unknown.example')).toEqual({ refused: 'dns_failure' })
  })
  test('the system resolver returns every address of a name', async () => {
    const found = await resolveBySystem('localhost')
    expect(found.length).toBeGreaterThan(0)
    for (const address of found) expect(ipaddr.parse(address).range()).toBe('loopback')
  })
})
