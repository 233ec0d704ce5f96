import { describe, expect, test } from 'vitest'
import { currentMember } from '#contract/account.ts'
import { follow, listPeople } from '#contract/people.ts'
import { createPost, getPost } from '#contract/posts.ts'
import { browserWithServer } from '#tests/browser.ts'
import { ApiError, anticipate, arrived, call, localUrl, refusal, request, sessionEnded } from './api.ts'

const at = browserWithServer()

type Seen = { method?: string; url?: string; body: string; headers: Record<string, unknown> }

/** Answers everything with `body`, and tells what was asked. */
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

describe('a call goes where its operation says', () => {
  test('what is not in the path travels as query of a GET', async () => {
    const seen = listen({ documents: [] })
    await call(listPeople, { limit: 10, who: 'others', cursor: undefined })
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/people?limit=10&who=others', body: '' })
  })

  test('names in the path are filled in and escaped, and need no body', async () => {
    const seen = listen()
    await call(follow, { personId: 'be/a' })
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/v1/people/be%2Fa/follow', body: '' })
    expect(seen[0]?.headers).not.toHaveProperty('content-type')
  })

  test('a body is JSON', async () => {
    const seen = listen()
    const post = { caption: 'Sun and sea', location: 'Cádiz', tags: ['sol'], imageId: 'picture' }
    await call(createPost, post)
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(post)
    expect(seen[0]?.headers['content-type']).toBe('application/json')
  })

  test('a 204 answers nothing', async () => {
    at.answer = (_, answer) => answer.writeHead(204).end()
    expect(await request('DELETE', '/account/sessions/current')).toBeUndefined()
  })
})

describe('what goes wrong', () => {
  test('ERR-06 no answer gives Network request failed', async () => {
    at.answer = (asked) => asked.socket.destroy()
    const error = await failure(call(currentMember, {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message: 'Network request failed', code: 0, type: '' })
  })

  test('ERR-06 an answer that breaks off gives Network request failed', async () => {
    at.answer = (asked, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
      answer.write('{"$id":')
      setTimeout(() => asked.socket.destroy(), 20)
    }
    expect(await failure(call(currentMember, {}))).toMatchObject({
      message: 'Network request failed',
      code: 0,
    })
  })

  test('ERR-07 a body that is not JSON is the message', async () => {
    listen('<h1>Bad gateway</h1>', 502)
    expect(await failure(call(currentMember, {}))).toMatchObject({
      message: '<h1>Bad gateway</h1>',
      code: 502,
      response: '<h1>Bad gateway</h1>',
    })
  })

  test('ERR-08 a refusal carries message, status, type, response and the field to blame', async () => {
    const body = {
      message: 'Invalid email',
      code: 400,
      type: 'general_argument_invalid',
      version: '1',
      field: 'email',
    }
    listen(body, 400)
    expect(await failure(request('POST', '/members', {}))).toMatchObject({
      message: 'Invalid email',
      code: 400,
      type: 'general_argument_invalid',
      field: 'email',
      response: body,
    })
  })

  test('only the two refusals that mean "who are you?" end a session', () => {
    const of = (type: string) => refusal(401, { message: '', type })
    expect(sessionEnded(of('general_unauthorized_scope'))).toBe(true)
    expect(sessionEnded(of('user_blocked'))).toBe(true)
    expect(sessionEnded(of('user_invalid_credentials'))).toBe(false)
    expect(sessionEnded(new ApiError('Network request failed'))).toBe(false)
  })
})

describe('AUTH-14 AUTH-15 the fallback session', () => {
  test('is kept when the server hands one out, and sent with every request after', async () => {
    const handed = '{"a_session_juntas":"token"}'
    const seen = listen({}, 201, { 'x-fallback-cookies': handed })
    await request('POST', '/account/sessions/email', {})
    expect(localStorage.getItem('cookieFallback')).toBe(handed)
    await request('GET', '/account')
    expect(seen[0]?.headers).not.toHaveProperty('x-fallback-cookies')
    expect(seen[1]?.headers['x-fallback-cookies']).toBe(handed)
  })

  test('an empty list is no session', async () => {
    localStorage.setItem('cookieFallback', '[]')
    const seen = listen()
    await request('GET', '/account')
    expect(seen[0]?.headers).not.toHaveProperty('x-fallback-cookies')
  })
})

describe('an answer asked for ahead', () => {
  test('is taken by the request for it, once', async () => {
    const seen = listen({ $id: 'ana' })
    anticipate('/me')
    expect(await request('GET', '/me')).toEqual({ $id: 'ana' })
    expect(seen).toHaveLength(1)
    await request('GET', '/me')
    expect(seen).toHaveLength(2)
  })

  test('fails as the request itself would have failed', async () => {
    listen({ message: 'no', type: 'general_unauthorized_scope' }, 401)
    anticipate('/me')
    expect(sessionEnded(await failure(request('GET', '/me')))).toBe(true)
  })

  test('is there without waiting once it has come, for whoever is first', async () => {
    const seen = listen({ documents: [] })
    const asked = anticipate('/posts/p1')
    expect(arrived(getPost, { postId: 'p1' })).toBeUndefined()
    await asked
    expect(arrived(getPost, { postId: 'p2' })).toBeUndefined()
    expect(arrived(getPost, { postId: 'p1' })).toEqual({ documents: [] })
    expect(arrived(getPost, { postId: 'p1' })).toBeUndefined()
    await request('GET', '/posts/p1')
    expect(seen).toHaveLength(2)
  })

  test('that is a refusal never counts as come', async () => {
    listen({ message: 'no', type: 'post_not_found' }, 404)
    await anticipate('/posts/p1')
    expect(arrived(getPost, { postId: 'p1' })).toBeUndefined()
    expect((await failure(request('GET', '/posts/p1'))).code).toBe(404)
  })
})

test('the address of our own picture becomes a path, others stay', () => {
  expect(localUrl('https://juntas.example/v1/avatars/initials?name=Ana')).toBe(
    '/v1/avatars/initials?name=Ana',
  )
  expect(localUrl('https://elsewhere.example/picture.png')).toBe('https://elsewhere.example/picture.png')
  expect(localUrl('')).toBe('')
})
