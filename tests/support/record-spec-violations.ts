/**
 * Holds every answer that a server gives in a test against the dialect's published description: to requests by hand, by an
 * official SDK, beside a socket. Loaded once in a process, so that each answer is looked at once, however many files ran.
 */
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

/** @returns in what answers differed since this was last asked */
export function drainSpecViolations(): string[] {
  const taken = [...wrong]
  wrong.clear()
  return taken
}
