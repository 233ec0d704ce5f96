/**
 * Holds every answer that a server gives in a test against the dialect's published description, whoever asked and how:
 * by hand, by an official SDK, over a socket. Loaded before every test file; a file whose servers answered otherwise
 * fails at its end. What differs on purpose is told here and, with its reason, in docs/appwrite.md.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, expect } from 'vitest'
import { isModel, operations, problemsWith } from './models.ts'

/** Status codes in which servers of the dialect differ from its own description, and we with them. */
const answeredStatus: Record<string, number> = {
  'PUT /account/sessions/magic-url': 201,
  'PUT /account/sessions/phone': 201,
  'GET /account/sessions/oauth2/{}': 302,
}

/** Newer addresses of calls that the description knows by their older ones (platform reference §4). */
const moved: Record<string, string> = {
  'POST /account/sessions': 'POST /account/sessions/email',
  'POST /account/sessions/token': 'PUT /account/sessions/phone',
  'POST /account/tokens/email': 'POST /account/sessions/phone',
  'POST /account/tokens/magic-url': 'POST /account/sessions/magic-url',
  'POST /account/tokens/phone': 'POST /account/sessions/phone',
  'GET /account/tokens/oauth2/{}': 'GET /account/sessions/oauth2/{}',
  'POST /account/jwts': 'POST /account/jwt',
  'POST /account/verifications/email': 'POST /account/verification',
  'PUT /account/verifications/email': 'PUT /account/verification',
  'POST /account/verifications/phone': 'POST /account/verification/phone',
  'PUT /account/verifications/phone': 'PUT /account/verification/phone',
}

const wrong = new Set<string>()

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onSend', async (request, reply, payload) => {
    for (const problem of problemsOf(request, reply, payload)) wrong.add(problem)
  })
})

afterAll(() => {
  expect([...wrong], 'answers that differ from the published description').toEqual([])
})

function problemsOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): string[] {
  if (!request.url.startsWith('/v1/')) return []
  const call = `${request.method} ${(request.routeOptions.url ?? '').replace('/v1', '').replace(/:\w+/g, '{}')}`
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
  const body = isJson && typeof payload === 'string' && payload !== '' ? JSON.parse(payload) : undefined
  const status = reply.statusCode
  const problems =
    status >= 400 ? problemsOfRefusal(status, body) : problemsOfAnswer(call, request, status, body)
  return problems.map((problem) => `${call} ${status}: ${problem}`)
}

function problemsOfAnswer(call: string, { url }: FastifyRequest, status: number, body: unknown): string[] {
  const published = operations[moved[call] ?? call]
  // Bytes have no model, and there may be less of them than everything.
  if (!published || (published.status === 200 && published.model === undefined)) return []
  const { model } = published
  const expected = answeredStatus[moved[call] ?? call] ?? published.status
  const other = status === expected ? [] : [`${expected} was published`]
  if (model === undefined) return body === undefined ? other : [...other, 'it has a body']
  // Whoever selects attributes gets these alone, the system's own too.
  return isModel(model) ? [...other, ...problemsWith(model, body, url.includes('select'))] : other
}

/** `code` is published as a text; every server of the dialect sends a number, and every SDK expects one. */
function problemsOfRefusal(status: number, body: unknown): string[] {
  if (body === undefined) return []
  const { code, ...rest } = body as Record<string, unknown>
  const problems = problemsWith('error', { ...rest, code: String(code) })
  return code === status ? problems : [...problems, `its code says ${code}`]
}
