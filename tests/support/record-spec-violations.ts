/** Compares every response in tests with Appwrite's published description. Subscribes once per process. */
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { findAppwriteResponseProblems } from './find-appwrite-response-problems.ts'

const wrong = new Set<string>()

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onSend', async ({ method, url }, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const body = isJson && typeof payload === 'string' && payload !== '' ? JSON.parse(payload) : undefined
    for (const problem of findAppwriteResponseProblems({ method, url, status: reply.statusCode, body }))
      wrong.add(problem)
  })
})

export function drainSpecViolations(): string[] {
  const taken = [...wrong]
  wrong.clear()
  return taken
}
