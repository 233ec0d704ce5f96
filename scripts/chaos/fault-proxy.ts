/** Refuses, stalls, slows down or truncates connections on command. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type FaultProxyState = 'through' | 'refused' | 'silent' | 'slow' | 'cut'

export type FaultProxy = {
  port: number
  setState(state: FaultProxyState): void
  close(): Promise<void>
}

/** `bytes` every `rest` milliseconds: four kilobytes a second. */
const throttle = { bytes: 400, rest: 100 }

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let state: FaultProxyState = 'through'
  let changed = Promise.withResolvers<void>()

  const server = createServer((client) => {
    if (state === 'refused') return client.resetAndDestroy()
    const upstream = connect({ port: target, host: '127.0.0.1' })
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        end()
      })
      socket.on('error', () => {})
    }
    lead(client, upstream, end)
    lead(upstream, client, end)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function lead(from: Socket, to: Socket, end: () => void) {
    from.on('data', async (bytes: Buffer) => {
      from.pause()
      await pass(bytes, to, end)
      from.resume()
    })
  }

  async function pass(bytes: Buffer, to: Socket, end: () => void) {
    while (state === 'silent') await changed.promise
    if (state === 'cut') {
      to.write(bytes.subarray(0, bytes.length / 2), end)
      return
    }
    let passed = 0
    for (; state === 'slow' && passed < bytes.length; passed += throttle.bytes) {
      to.write(bytes.subarray(passed, passed + throttle.bytes))
      await pause(throttle.rest)
    }
    to.write(bytes.subarray(passed))
  }

  return {
    port: (server.address() as AddressInfo).port,
    setState(next) {
      state = next
      changed.resolve()
      changed = Promise.withResolvers()
      if (next === 'refused') for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
