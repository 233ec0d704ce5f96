import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { limitConnectionsPerAddress } from './connection-limit.ts'

const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

const settings = readConfig({ PUBLIC_URL: 'http://localhost:3000' })

/** Allows three connections per address. */
async function serving(config: Partial<typeof settings>) {
  const server = createServer((_request, response) => response.end('here'))
  limitConnectionsPerAddress(server, { ...settings, ...config }, 3)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    opened.push(socket)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const answered = once(socket, 'data').then(() => 'answered')
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')))
    return { socket, what: await Promise.race([answered, ended]) }
  }
  return { server, open }
}

test('D01 each address holds at most three connections, and closed connections no longer count', async () => {
  const { server, open } = await serving({ production: true })
  const three = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')]
  expect(three.map(({ what }) => what)).toEqual(['answered', 'answered', 'answered'])
  expect((await open('127.0.0.1')).what).toBe('closed')
  expect((await open('127.0.0.2')).what).toBe('answered')
  three[0]?.socket.destroy()
  await expect.poll(async () => (await open('127.0.0.1')).what).toBe('answered')
  server.close()
})

test.each([
  ['a trusted proxy', { production: true, trustedProxies: ['127.0.0.1'] }],
  ['a proxy of a trusted range', { production: true, trustedProxies: ['127.0.0.0/8'] }],
  ['a proxy of a range that has a name', { production: true, trustedProxies: ['uniquelocal', 'loopback'] }],
  ['this machine outside production', { production: false }],
])('D01 %s holds any number of connections', async (_who, config) => {
  const { server, open } = await serving(config)
  const four = []
  for (let n = 0; n < 4; n += 1) four.push((await open('127.0.0.1')).what)
  expect(four).toEqual(Array(4).fill('answered'))
  server.close()
})
