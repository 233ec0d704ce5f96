import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { isPublicIp, publicInternetNetwork, resolvePublicHost } from './public-address.ts'
import { createSafeFetch } from './safe-fetch.ts'

test.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
  'the address %s is public',
  (address) => {
    expect(isPublicIp(address)).toBe(true)
  },
)

test.each([
  ...['127.0.0.1', '127.0.0.2', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254'],
  ...['100.64.0.1', '192.0.0.1', '198.18.0.1', '192.0.2.1', '224.0.0.1', '255.255.255.255', '240.0.0.1'],
  ...['::1', '::', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '2001::1', '::127.0.0.1', '::7f00:1', '::101:101'],
  ...['4000::1', '1fff::1', 'e000::1', 'fec0::1', '100::1', '5f00::1', '3fff::1', 'not an address', ''],
])('X01 the address %s is not public', (address) => {
  expect(isPublicIp(address)).toBe(false)
})

test('X01 a host with one private address among public addresses is refused', async () => {
  const reach = {
    ...publicInternetNetwork,
    lookup: async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
  }
  await expect(resolvePublicHost('site.test', reach)).rejects.toThrow('not a public one')
})

test("X01 no spelling of this machine's address reaches the machine", async () => {
  let visits = 0
  const canary = createServer((_, response) => {
    visits += 1
    response.end('secret')
  }).listen(0, '::')
  await once(canary, 'listening')
  const { port } = canary.address() as AddressInfo
  // The test uses the real rules and resolver. Only the port is the test server's.
  const remote = createSafeFetch([], { ...publicInternetNetwork, ports: [port] })
  const hosts = [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1'],
    ...['0', '0.0.0.0', '127.0.0.2', '127.255.255.254', 'localhost', 'LOCALHOST', 'localhost.', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
    ...['１２７．０．０．１', '127。0。0。1', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]'],
    ...['169.254.169.254', '100.64.0.1', '198.18.0.1', '%31%32%37.0.0.1'],
  ]
  for (const host of hosts) {
    const url = URL.parse(`http://${host}:${port}/`)
    if (!url) continue
    await expect(remote.begin()(url, { bytes: 100 }), host).rejects.toMatchObject({
      type: 'avatar_remote_url_failed',
    })
  }
  canary.close()
  expect(visits).toBe(0)
})
