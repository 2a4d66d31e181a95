import { describe, expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { addressReader } from './client-address.ts'

const addressOf = addressReader([ipaddr.parseCIDR('10.0.0.0/8'), ipaddr.parseCIDR('2001:db8::/32')])

describe('a peer that is nobody we trust', () => {
  test.each(['1.2.3.4', '203.0.113.9, 10.0.0.1', '', 'nonsense'])('cannot say %s', forwarded => {
    expect(addressOf('192.0.2.1', forwarded)).toBe('192.0.2.1')
  })
  test('is known by one spelling', () => {
    expect(addressOf('::ffff:192.0.2.1', null)).toBe('192.0.2.1')
    expect(addressOf('2001:DB9:0:0::1', null)).toBe('2001:db9::1')
    expect(addressOf(undefined, '1.2.3.4')).toBeNull()
  })
  test('and with no trusted proxies nobody is', () => {
    expect(addressReader([])('10.0.0.1', '1.2.3.4')).toBe('10.0.0.1')
  })
})

describe('a proxy that we trust', () => {
  const said: [name: string, forwarded: string | null, address: string][] = [
    ['nothing', null, '10.0.0.1'],
    ['one client', '198.51.100.7', '198.51.100.7'],
    ['what a client wrote before it', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['proxies of ours behind it', '198.51.100.7, 10.1.1.1, 2001:db8::5', '198.51.100.7'],
    ['proxies alone', '10.1.1.1, 10.1.1.2', '10.1.1.1'],
    ['something unreadable at the end', '198.51.100.7, unknown', '10.0.0.1'],
    ['something unreadable before a proxy', 'unknown, 10.1.1.1', '10.1.1.1'],
    ['a port', '198.51.100.7:5123', '198.51.100.7'],
    ['brackets and a port', '[2001:db9::7]:443', '2001:db9::7'],
    ['an address in hiding', '0x7f.1', '10.0.0.1'],
    ['an IPv4 in an IPv6', '::ffff:198.51.100.7', '198.51.100.7'],
    ['an empty hop', '198.51.100.7, ', '10.0.0.1'],
  ]
  test.each(said)('says %s', (_name, forwarded, address) => {
    expect(addressOf('10.0.0.1', forwarded)).toBe(address)
  })
  test('says more hops than there could be, and is read no further', () => {
    const long = `198.51.100.7, ${Array.from({ length: 5000 }, () => '10.0.0.9').join(', ')}`
    expect(addressOf('10.0.0.1', long)).toBe('10.0.0.9')
  })
})
