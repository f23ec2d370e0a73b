import { expect, it } from 'vitest'
import { clientAddressOf } from './client-address.ts'

function addressOf(remoteAddress: string | undefined, forwardedFor?: string | string[]) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return clientAddressOf({ raw: { headers, socket: { remoteAddress } } } as unknown as Parameters<typeof clientAddressOf>[0])
}

it.each([
  ['93.184.216.34'],
  // Node's form of an IPv4 address if the service listens on `::`.
  ['::ffff:93.184.216.34'],
])('the header X-Forwarded-For of a client at the public address %s is ignored', (remoteAddress) => {
  expect(addressOf(remoteAddress, '192.0.2.1')).toEqual({ client: '93.184.216.34', proxy: null })
})

it.each([
  ['192.0.2.1, 203.0.113.9', '203.0.113.9'],
  [['192.0.2.1', '203.0.113.9'], '203.0.113.9'],
  ['192.0.2.1, 203.0.113.9:50123', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:50123', '2001:db8::1'],
  ['x'.repeat(100), 'x'.repeat(64)],
])('a client behind a proxy with the X-Forwarded-For %s has its last address, without the port', (forwardedFor, client) => {
  for (const proxy of ['127.0.0.1', '::ffff:127.0.0.1', '::1'])
    expect(addressOf(proxy, forwardedFor)).toEqual({ client, proxy: proxy.replace('::ffff:', '') })
})

it('a client that has disconnected, or whose proxy sends no X-Forwarded-For, has the address of the connection', () => {
  expect(addressOf(undefined, '192.0.2.1')).toEqual({ client: '192.0.2.1', proxy: '' })
  expect(addressOf('10.0.0.1')).toEqual({ client: '10.0.0.1', proxy: null })
  expect(addressOf('10.0.0.1', ' ')).toEqual({ client: '10.0.0.1', proxy: null })
})
