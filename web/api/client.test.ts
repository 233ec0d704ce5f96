import { describe, expect, test } from 'vitest'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { followOperation, listPeopleOperation } from '#contract/people/people.ts'
import { createPostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import {
  ApiError,
  callApiOperation,
  isSessionEndedError,
  prefetchApiGet,
  sendApiRequest,
  takePrefetchedResponse,
  toApiError,
} from './client.ts'

const at = setupBrowserWithServer()

type Seen = { method?: string; url?: string; body: string; headers: Record<string, unknown> }

function listen(body: unknown = {}, status = 200, headers: Record<string, string> = {}): Seen[] {
  const seen: Seen[] = []
  at.answer = async (asked, answer) => {
    let sent = ''
    for await (const chunk of asked) sent += chunk
    seen.push({ method: asked.method, url: asked.url, body: sent, headers: asked.headers })
    const text = typeof body === 'string'
    answer.writeHead(status, { 'content-type': text ? 'text/html' : 'application/json', ...headers })
    answer.end(text ? body : JSON.stringify(body))
  }
  return seen
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error: ApiError) => error,
  )

describe('API calls', () => {
  test('a GET sends input that is not in the path as its query', async () => {
    const seen = listen({ documents: [] })
    await callApiOperation(listPeopleOperation, { limit: 10, who: 'others', cursor: undefined })
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/people?limit=10&who=others', body: '' })
  })

  test('path parameters are filled in and escaped, and a call with only path parameters sends no body', async () => {
    const seen = listen()
    await callApiOperation(followOperation, { personId: 'be/a' })
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/v1/people/be%2Fa/follow', body: '' })
    expect(seen[0]?.headers).not.toHaveProperty('content-type')
  })

  test('a call sends its body as JSON', async () => {
    const seen = listen()
    const post = { caption: 'Sun and sea', location: 'Cádiz', tags: ['sol'], imageId: 'picture' }
    await callApiOperation(createPostOperation, post)
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(post)
    expect(seen[0]?.headers['content-type']).toBe('application/json')
  })

  test('a 204 response returns undefined', async () => {
    at.answer = (_, answer) => answer.writeHead(204).end()
    expect(await sendApiRequest('DELETE', '/account/sessions/current')).toBeUndefined()
  })
})

describe('failed requests', () => {
  test('ERR-06 a missing response gives Network request failed', async () => {
    at.answer = (asked) => asked.socket.destroy()
    const error = await failure(callApiOperation(getCurrentMemberOperation, {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message: 'Network request failed', code: 0, type: '' })
  })

  test('ERR-06 an interrupted response gives Network request failed', async () => {
    at.answer = (asked, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
      answer.write('{"$id":', () => asked.socket.destroy())
    }
    expect(await failure(callApiOperation(getCurrentMemberOperation, {}))).toMatchObject({
      message: 'Network request failed',
      code: 0,
    })
  })

  test('ERR-07 a response body that is not JSON becomes the error message', async () => {
    listen('<h1>Bad gateway</h1>', 502)
    expect(await failure(callApiOperation(getCurrentMemberOperation, {}))).toMatchObject({
      message: '<h1>Bad gateway</h1>',
      code: 502,
      response: '<h1>Bad gateway</h1>',
    })
  })

  test('ERR-08 a refusal carries its message, status, type, response and invalid field', async () => {
    const body = {
      message: 'Invalid email',
      code: 400,
      type: 'general_argument_invalid',
      version: '1',
      field: 'email',
    }
    listen(body, 400)
    expect(await failure(sendApiRequest('POST', '/members', {}))).toMatchObject({
      message: 'Invalid email',
      code: 400,
      type: 'general_argument_invalid',
      field: 'email',
      response: body,
    })
  })

  test('a rate-limit refusal carries the seconds until the next attempt', async () => {
    listen({ message: '', type: 'general_rate_limit_exceeded' }, 429, { 'retry-after': '90' })
    expect(await failure(callApiOperation(listPeopleOperation, { limit: 10, who: 'others' }))).toMatchObject({
      code: 429,
      retryAfter: 90,
    })
  })

  test('only two types of refusal mean that the session has ended', () => {
    const of = (type: string) => toApiError(401, { message: '', type })
    expect(isSessionEndedError(of('general_unauthorized_scope'))).toBe(true)
    expect(isSessionEndedError(of('user_blocked'))).toBe(true)
    expect(isSessionEndedError(of('user_invalid_credentials'))).toBe(false)
    expect(isSessionEndedError(new ApiError('Network request failed'))).toBe(false)
  })
})

describe('AUTH-14 AUTH-15 the fallback session', () => {
  test('a fallback session from the server is stored and sent with later requests', async () => {
    const handed = '{"a_session_juntas":"token"}'
    const seen = listen({}, 201, { 'x-fallback-cookies': handed })
    await sendApiRequest('POST', '/account/sessions/email', {})
    expect(localStorage.getItem('cookieFallback')).toBe(handed)
    await sendApiRequest('GET', '/account')
    expect(seen[0]?.headers).not.toHaveProperty('x-fallback-cookies')
    expect(seen[1]?.headers['x-fallback-cookies']).toBe(handed)
  })

  test('an empty list is not sent as a fallback session', async () => {
    localStorage.setItem('cookieFallback', '[]')
    const seen = listen()
    await sendApiRequest('GET', '/account')
    expect(seen[0]?.headers).not.toHaveProperty('x-fallback-cookies')
  })
})

describe('prefetched responses', () => {
  test('a prefetched response is used once, by the matching request', async () => {
    const seen = listen({ $id: 'ana' })
    prefetchApiGet('/me')
    expect(await sendApiRequest('GET', '/me')).toEqual({ $id: 'ana' })
    expect(seen).toHaveLength(1)
    await sendApiRequest('GET', '/me')
    expect(seen).toHaveLength(2)
  })

  test('a request with a failed prefetch fails like the request itself', async () => {
    listen({ message: 'no', type: 'general_unauthorized_scope' }, 401)
    prefetchApiGet('/me')
    expect(isSessionEndedError(await failure(sendApiRequest('GET', '/me')))).toBe(true)
  })

  test('a prefetched response that has arrived is available synchronously, but only once', async () => {
    const seen = listen({ documents: [] })
    const asked = prefetchApiGet('/posts/p1')
    expect(takePrefetchedResponse(getPostOperation, { postId: 'p1' })).toBeUndefined()
    await asked
    expect(takePrefetchedResponse(getPostOperation, { postId: 'p2' })).toBeUndefined()
    expect(takePrefetchedResponse(getPostOperation, { postId: 'p1' })).toEqual({ documents: [] })
    expect(takePrefetchedResponse(getPostOperation, { postId: 'p1' })).toBeUndefined()
    await sendApiRequest('GET', '/posts/p1')
    expect(seen).toHaveLength(2)
  })

  test('a prefetched refusal is never available synchronously', async () => {
    listen({ message: 'no', type: 'post_not_found' }, 404)
    await prefetchApiGet('/posts/p1')
    expect(takePrefetchedResponse(getPostOperation, { postId: 'p1' })).toBeUndefined()
    expect((await failure(sendApiRequest('GET', '/posts/p1'))).code).toBe(404)
  })
})
