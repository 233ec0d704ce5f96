/** Starts Redis and an object store, each behind a fault proxy. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startLocalS3Server } from '../harness/local-s3-server.ts'
import { findFreePort } from '../harness/server-process.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

export type ChaosServices = {
  env: Record<string, string>
  store: FaultProxy
  /** Undefined if Redis is not installed. */
  redis?: FaultProxy & { flush(): Promise<void> }
  end(): Promise<void>
}

export async function startChaosServices(): Promise<ChaosServices> {
  const kept = await startLocalS3Server()
  const store = await startFaultProxy(Number(new URL(kept.endpoint).port))
  const redis = await startRedis()
  const env: Record<string, string> = { ...kept.env, S3_ENDPOINT: `http://127.0.0.1:${store.port}` }
  if (redis) env.REDIS_URL = `redis://127.0.0.1:${redis.line.port}`
  return {
    env,
    store,
    ...(redis ? { redis: { ...redis.line, flush: redis.flush } } : {}),
    async end() {
      await store.close()
      await kept.end()
      await redis?.end()
    },
  }
}

async function startRedis() {
  const port = await findFreePort()
  const child: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  )
  const missing = await Promise.race([
    once(child, 'error').then(() => true),
    untilAnswering(port).then(() => false),
  ])
  if (missing) return undefined
  const line = await startFaultProxy(port)
  return {
    line,
    async flush() {
      const socket = createConnection({ port, host: '127.0.0.1' })
      socket.write('FLUSHALL\r\n')
      await once(socket, 'data')
      socket.destroy()
    },
    async end() {
      await line.close()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilAnswering(port: number): Promise<void> {
  for (;;) {
    const socket = createConnection({ port, host: '127.0.0.1' })
    const up = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (up) return
    await pause(20)
  }
}
