/** Who hears of what, and until when: attacks R01–R05, R09, R10 of the security reference, on two nodes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openConversation, sendMessage } from '#contract/chat.ts'
import { handOverGroup, removeMember } from '#contract/group-members.ts'
import { approveRequest, rejectRequest, requestToJoin, withdrawRequest } from '#contract/group-requests.ts'
import { deleteGroup, updateGroup } from '#contract/groups.ts'
import { follow } from '#contract/people.ts'
import { deletePost, likePost, savePost, updatePost } from '#contract/posts.ts'
import { admit, groupOf, postIn } from '../groups.ts'
import { anotherNode, type Node } from '../nodes.ts'
import { asking } from '../person.ts'
import { documentsOf, type EventData, heardAll, openSocket, type TestSocket } from '../sockets.ts'
import { type Person, password, type World, world } from '../world.ts'
import { proofTo } from './letters.ts'

let w: World
let other: Node
let ana: Person
let bea: Person
let eva: Person
let gala: Person
let mia: Person
const sockets: TestSocket[] = []

beforeAll(async () => {
  w = await world()
  other = await anotherNode(w.database)
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  eva = await w.join('Eva')
  gala = await w.join('Gala')
  mia = await w.join('Mia')
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(async () => {
  await other.end()
  await w.end()
})

const collections = [
  'users',
  'posts',
  'saves',
  'follows',
  'groups',
  'groupMembers',
  'groupRequests',
  'conversations',
  'messages',
]
const everything = ['documents', '*', 'files', ...collections.map(documentsOf)]

const open = async (as: Pick<Person, 'cookie'>, node = w.app, channels = everything) => {
  const socket = await openSocket(node, { as, channels })
  sockets.push(socket)
  return socket
}
const say = async (from: Person, to: Person, content: string) => {
  const { $id } = await from.call(openConversation, { personId: to.id })
  return from.call(sendMessage, { conversationId: $id, content })
}
const about = (told: readonly EventData[], collection: string) =>
  told.filter(({ payload }) => payload.$collectionId === collection)
const signInAgain = async (person: Person) => {
  const body = { email: person.email, password }
  const answer = await w.visitor.request('POST', '/v1/account/sessions/email', body)
  return { cookie: answer.headers['set-cookie']?.split(';')[0] ?? '' }
}

describe('R01 strangers', () => {
  test('PERM-06 eva subscribes to everything there is and hears nothing of ana and bea', async () => {
    const { $id: talk } = await ana.call(openConversation, { personId: bea.id })
    const { $id: known } = await say(ana, bea, 'primero')
    const guesses = [`${documentsOf('messages')}.${known}`, `${documentsOf('conversations')}.${talk}`]
    const spying = await Promise.all([
      open(eva, w.app, [...everything, ...guesses]),
      open(eva, other.app, [...everything, ...guesses]),
    ])
    for (let n = 0; n < 25; n += 1) {
      await ana.call(sendMessage, { conversationId: talk, content: `ana ${n}` })
      await bea.call(sendMessage, { conversationId: talk, content: `bea ${n}` })
    }
    for (const socket of spying) {
      expect(await heardAll(socket, ana)).toEqual([])
    }
  })

  test('RT1 A25 who is not signed in, or with what is no session, hears nothing at all', async () => {
    const visitors = [
      await open({ cookie: '' }),
      await open({ cookie: 'a_session_juntas=' }),
      await open({ cookie: 'a_session_juntas=eyJpZCI6MX0%3D' }),
      await open({ cookie: `${ana.cookie.slice(0, -8)}AAAAAAAA` }),
      await open({ cookie: ana.cookie.replace('_juntas=', '_other=') }),
    ]
    const witness = await open(bea)
    await say(ana, bea, 'x')
    await ana.call(follow, { personId: bea.id })
    await postIn(w.database, ana, null)
    await heardAll(witness, ana)
    for (const socket of visitors) {
      expect(socket.frames).toMatchObject([{ type: 'connected', data: { user: null } }])
    }
  })
})

describe('R02 losing a right', () => {
  test('mia is removed from the group: none of her three sockets on two nodes hears of its posts any more', async () => {
    const group = await groupOf(gala, ana, mia)
    const hers = [await open(mia), await open(mia), await open(mia, other.app)]
    await postIn(w.database, ana, group)
    for (const socket of hers) await socket.event('posts', 'create')
    await gala.call(removeMember, { groupId: group, memberId: mia.id })
    const later = await postIn(w.database, ana, group)
    for (const socket of hers) {
      const told = await heardAll(socket, ana)
      // That she is out she is told herself.
      expect(about(told, 'groupMembers').map(({ payload }) => payload.userId)).toContain(mia.id)
      expect(about(told, 'posts').map(({ payload }) => payload.$id)).not.toContain(later)
      expect(about(told, 'posts').map(({ events }) => events[0]?.split('.').at(-1))).toEqual([
        'create',
        'delete',
      ])
    }
  })

  test('A10 who hands a group over decides nothing there any more, on no node, and hears of no request by any socket', async () => {
    const group = await groupOf(gala, mia)
    const before = await eva.call(requestToJoin, { groupId: group })
    const hers = [await open(gala), await open(gala, other.app)]
    const theirs = await open(mia, other.app)
    await gala.call(handOverGroup, { groupId: group, memberId: mia.id })
    for (const old of [gala, asking(other.app, gala.cookie)]) {
      for (const decide of [approveRequest, rejectRequest])
        expect(await old.refusal(decide, { requestId: before.$id })).toMatchObject({ code: 403 })
      expect(await old.refusal(updateGroup, { groupId: group, name: 'Mío' })).toMatchObject({ code: 403 })
    }
    const later = await bea.call(requestToJoin, { groupId: group })
    expect((await theirs.event('groupRequests', 'create')).payload.$id).toBe(later.$id)
    for (const socket of hers) {
      const told = about(await heardAll(socket, ana), 'groupRequests')
      // Which request left her sight, and nothing of who asks since.
      expect(told.map(({ events, payload }) => [events[0]?.split('.').at(-1), payload.$id])).toEqual([
        ['delete', before.$id],
      ])
    }
  })

  test('a post that moves into a group leaves those who are not in it, and stays with those who are', async () => {
    const group = await groupOf(ana, mia)
    const post = await postIn(w.database, ana, null)
    const [outside, inside] = [await open(eva), await open(mia)]
    await ana.call(updatePost, { postId: post, groupId: group })
    const kinds = async (socket: TestSocket) =>
      about(await heardAll(socket, ana), 'posts').map(({ events }) => events[0]?.split('.').at(-1))
    expect(await kinds(inside)).toEqual(['update'])
    expect((await kinds(outside)).filter((kind) => kind === 'update')).toEqual([])
  })
})

describe('R03 R12 S12 the end of a session, which only a closed account must not come back from', () => {
  const ways: [string, (session: Pick<Person, 'cookie'>, person: Person) => Promise<unknown>, number][] = [
    ['signing out', (session) => request(session, 'DELETE', '/v1/account/sessions/current'), 4001],
    ['signing out everywhere', (session) => request(session, 'DELETE', '/v1/account/sessions'), 4001],
    [
      'a new password set elsewhere',
      async (_, person) => {
        const elsewhere = await signInAgain(person)
        const body = { password: 'otra caballo pila grapa', oldPassword: password }
        await request(elsewhere, 'PATCH', '/v1/account/password', body)
      },
      4001,
    ],
    [
      'a new password by a letter',
      async (_, { email }) => {
        await w.visitor.request('POST', '/v1/account/recovery', { email, url: 'http://localhost:3000/' })
        const { userId, secret } = await proofTo(w, email)
        const body = { userId, secret, password: 'otra caballo pila grapa' }
        expect((await w.visitor.request('PUT', '/v1/account/recovery', body)).status).toBe(200)
      },
      4001,
    ],
    ['switching the account off', (session) => request(session, 'PATCH', '/v1/account/status'), 1008],
  ]
  const request = async (as: Pick<Person, 'cookie'>, method: string, path: string, body?: unknown) => {
    const answer = await w.visitor.request(method, path, body, { cookie: as.cookie })
    expect(answer.status).toBeLessThan(300)
  }

  test.each(ways)('%s closes her sockets on every node', async (name, act, code) => {
    const nora = await w.join(`Nora${ways.findIndex(([way]) => way === name)}`)
    const hers = [await open(nora), await open(nora, other.app)]
    const hera = await open(bea)
    await act(nora, nora)
    expect(await Promise.all(hers.map(({ closed }) => closed))).toEqual([code, code])
    expect(hera.isOpen).toBe(true)
  })

  test('a session that ran out closes at the next change, which it is not told', async () => {
    const nora = await w.join('Noraida')
    const socket = await open(nora)
    await w.database.pool.query(
      `update sessions set created_at = now() - interval '91 days', expires_at = now() - interval '1 day'
       where account_id = (select id from accounts where public_id = $1)`,
      [nora.accountId],
    )
    await say(bea, nora, 'demasiado tarde')
    expect(await socket.closed).toBe(4001)
    expect(socket.events()).toEqual([])
  })

  test('the oldest of eleven sessions takes its socket with it', async () => {
    const nora = await w.join('Norma')
    const socket = await open(nora)
    for (let n = 0; n < 10; n += 1) await signInAgain(nora)
    expect(await socket.closed).toBe(4001)
  })
})

describe('R04 what is deleted', () => {
  test('a post of a group and a request reach those who could read them, and eva not', async () => {
    const group = await groupOf(gala, mia)
    const post = await postIn(w.database, mia, group)
    const request = await bea.call(requestToJoin, { groupId: group })
    const [outside, admin] = [await open(eva), await open(gala)]
    await mia.call(deletePost, { postId: post })
    await bea.call(withdrawRequest, { requestId: request.$id })
    expect((await admin.event('posts', 'delete')).payload).toMatchObject({
      $id: post,
      groupId: group,
      likes: [],
    })
    expect((await admin.event('groupRequests', 'delete')).payload).toMatchObject({
      $id: request.$id,
      userId: bea.id,
      status: 'pending',
    })
    const told = JSON.stringify(await heardAll(outside, ana))
    expect(told).not.toContain(post)
    expect(told).not.toContain(request.$id)
  })

  test('a group that goes takes its posts and members out of its members’ sight', async () => {
    const group = await groupOf(gala, mia)
    const post = await postIn(w.database, mia, group)
    const [inside, outside] = [await open(mia), await open(eva)]
    const { name } = (await gala.request<{ name: string }>('GET', `/v1/groups/${group}`)).body
    await gala.call(deleteGroup, { groupId: group, name })
    expect((await inside.event('posts', 'delete')).payload.$id).toBe(post)
    await inside.event('groupMembers', 'delete')
    const told = await heardAll(outside, ana)
    expect(JSON.stringify(told)).not.toContain(post)
    expect(about(told, 'groupMembers')).toEqual([])
  })
})

describe('R05 what is in an event', () => {
  test('each is what GET of that document answers to the one who hears it', async () => {
    const hers = await open(ana)
    const theirs = await open(bea)
    // First what shows in documents that are not told of it: a member's counts in her posts. Who saves the post is not
    // among those who like it, where the number of her saves would show.
    await bea.call(follow, { personId: eva.id })
    const group = await groupOf(ana, bea)
    await eva.call(requestToJoin, { groupId: group })
    const post = await postIn(w.database, bea, group)
    await bea.call(likePost, { postId: post })
    await ana.call(savePost, { postId: post })
    await say(ana, bea, 'lo último')
    for (const [socket, reader] of [
      [hers, ana],
      [theirs, bea],
    ] as const) {
      const last = new Map((await heardAll(socket, ana)).map((event) => [event.payload.$id, event]))
      const seen = new Set<unknown>()
      for (const { payload } of last.values()) {
        const path = `/v1/databases/main/collections/${payload.$collectionId}/documents/${payload.$id}`
        const { status, body } = await reader.request(`GET`, path)
        expect([status, payload]).toEqual([200, body])
        seen.add(payload.$collectionId)
      }
      const others = reader === bea ? ['users', 'saves'] : ['users']
      expect([...seen].sort()).toEqual(collections.filter((name) => !others.includes(name)).sort())
    }
  })
})

test('R05 of one post twenty hear at once, and each hears what GET answers her', async () => {
  const crowd: Person[] = []
  for (let n = 0; n < 20; n += 1) crowd.push(await w.join(`Nadia ${n}`))
  const theirs = await Promise.all(crowd.map((person, n) => open(person, n % 2 ? w.app : other.app)))
  const post = await postIn(w.database, crowd[0] as Person, null)
  await Promise.all(crowd.map((person) => person.call(likePost, { postId: post })))
  await Promise.all(
    theirs.map((socket) =>
      socket.until(
        ({ data = {} }) => (data.payload as { likesTotal?: number } | undefined)?.likesTotal === crowd.length,
      ),
    ),
  )
  for (const [n, person] of crowd.entries()) {
    const told = about(theirs[n]?.events() ?? [], 'posts').at(-1)?.payload
    const path = `/v1/databases/main/collections/posts/documents/${post}`
    expect((await person.request('GET', path)).body).toEqual(told)
  }
})

describe('R09 whose socket it is', () => {
  test('five wrong sessions end it, for good', async () => {
    const socket = await open({ cookie: '' })
    for (let n = 0; n < 5; n += 1) socket.send({ type: 'authentication', data: { session: `wrong ${n}` } })
    expect(await socket.closed).toBe(1008)
    expect(socket.frames.slice(1)).toEqual([
      ...Array(4).fill({ type: 'error', data: { code: 1003, message: 'Session is not valid.' } }),
      { type: 'error', data: { code: 1008, message: 'Session is not valid.' } },
    ])
  })

  test('it never becomes another’s, though her session is right', async () => {
    const socket = await open(eva)
    const session = decodeURIComponent(ana.cookie.split('=').slice(1).join('='))
    socket.send({ type: 'authentication', data: { session } })
    await socket.until(({ type }) => type === 'error')
    await say(bea, ana, 'para ana')
    await say(bea, eva, 'para eva')
    const told = JSON.stringify(await heardAll(socket, ana))
    expect(told).not.toContain('para ana')
    expect(told).toContain('para eva')
  })
})

test('R10 who is admitted hears what happens from then on', async () => {
  const group = await groupOf(gala)
  const socket = await open(eva)
  const before = await postIn(w.database, gala, group)
  await admit(gala, eva, group)
  const after = await postIn(w.database, gala, group)
  await socket.event('posts', 'create')
  const posts = about(await heardAll(socket, ana), 'posts').map(({ payload }) => payload.$id)
  expect(posts).toContain(after)
  expect(posts).not.toContain(before)
})
