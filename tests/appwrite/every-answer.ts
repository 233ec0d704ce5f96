/**
 * Holds every answer that a server gives in a test against the dialect's published description: to requests by hand, by an
 * official SDK, beside a socket. Loaded before every test file; a file whose servers answered otherwise fails at its end.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect } from 'vitest'
import { problemsOf } from './answers.ts'

const wrong = new Set<string>()

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onSend', async ({ method, url }, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const body = isJson && typeof payload === 'string' && payload !== '' ? JSON.parse(payload) : undefined
    for (const problem of problemsOf({ method, url, status: reply.statusCode, body })) wrong.add(problem)
  })
})

afterAll(() => {
  expect([...wrong], 'answers that differ from the published description').toEqual([])
})
