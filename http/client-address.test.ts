import { describe, expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { addressReader } from './client-address.ts'

const addressOf = addressReader([ipaddr.parseCIDR('10.0.0.0/8'), ipaddr.parseCIDR('2001:db8::/32')])

describe('client address: a peer that is not a trusted proxy', () => {
  test.each(['1.2.3.4', '203.0.113.9, 10.0.0.1', '', 'nonsense'])(
    'is the client, whatever the header says: %s',
    forwarded => {
      expect(addressOf('192.0.2.1', forwarded)).toBe('192.0.2.1')
    },
  )
  test('has one canonical form', () => {
    expect(addressOf('::ffff:192.0.2.1', null)).toBe('192.0.2.1')
    expect(addressOf('2001:DB9:0:0::1', null)).toBe('2001:db9::1')
    expect(addressOf(undefined, '1.2.3.4')).toBeNull()
  })
  test('is the client if no proxy is trusted', () => {
    expect(addressReader([])('10.0.0.1', '1.2.3.4')).toBe('10.0.0.1')
  })
})

describe('client address: a trusted proxy', () => {
  const cases: [name: string, forwarded: string | null, address: string][] = [
    ['nothing', null, '10.0.0.1'],
    ['one client', '198.51.100.7', '198.51.100.7'],
    ["an entry of the client before the proxy's", '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['trusted proxies after the client', '198.51.100.7, 10.1.1.1, 2001:db8::5', '198.51.100.7'],
    ['trusted proxies only', '10.1.1.1, 10.1.1.2', '10.1.1.1'],
    ['an invalid last entry', '198.51.100.7, unknown', '10.0.0.1'],
    ['an invalid entry before a trusted proxy', 'unknown, 10.1.1.1', '10.1.1.1'],
    ['a port', '198.51.100.7:5123', '198.51.100.7'],
    ['brackets and a port', '[2001:db9::7]:443', '2001:db9::7'],
    ['a hexadecimal address', '0x7f.1', '10.0.0.1'],
    ['an IPv4-mapped IPv6 address', '::ffff:198.51.100.7', '198.51.100.7'],
    ['an empty hop', '198.51.100.7, ', '10.0.0.1'],
  ]
  test.each(cases)('sends %s', (_name, forwarded, address) => {
    expect(addressOf('10.0.0.1', forwarded)).toBe(address)
  })
  test('sends thousands of entries, but only the last ones are read', () => {
    const long = `198.51.100.7, ${Array.from({ length: 5000 }, () => '10.0.0.9').join(', ')}`
    expect(addressOf('10.0.0.1', long)).toBe('10.0.0.9')
  })
})
