/** Tests who receives events over time: attacks R01–R05, R09 and R10 (docs/attacks.md), on two nodes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { createCommentOperation } from '#contract/comments/comments.ts'
import { handOverGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  rejectJoinRequestOperation,
  requestToJoinOperation,
  withdrawJoinRequestOperation,
} from '#contract/groups/group-requests.ts'
import { deleteGroupOperation, updateGroupOperation } from '#contract/groups/groups.ts'
import { followOperation } from '#contract/people/people.ts'
import {
  deletePostOperation,
  likePostOperation,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { waitForChangePosition } from '../../../tests/support/change-log-position.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '../../../tests/support/group-factory.ts'
import { type SecondServerNode, startSecondServerNode } from '../../../tests/support/second-node.ts'
import { fetchSentLinkSecret } from '../../../tests/support/sent-messages.ts'
import {
  type AppwriteEventData,
  collectSocketEvents,
  openTestSocket,
  type TestSocket,
} from '../../../tests/support/test-socket.ts'
import {
  createTestWorld,
  type MemberClient,
  type TestWorld,
  testPassword,
} from '../../../tests/support/world.ts'

let w: TestWorld
let other: SecondServerNode
let ana: MemberClient
let bea: MemberClient
let eva: MemberClient
let gala: MemberClient
let mia: MemberClient
const sockets: TestSocket[] = []

beforeAll(async () => {
  w = await createTestWorld()
  other = await startSecondServerNode(w.database)
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
  'comments',
  'saves',
  'follows',
  'groups',
  'groupMembers',
  'groupRequests',
  'conversations',
  'messages',
]
const everything = ['documents', '*', 'files', ...collections.map(buildDocumentsChannelName)]

const open = async (as: Pick<MemberClient, 'cookie'>, node = w.app, channels = everything) => {
  const socket = await openTestSocket(node, { as, channels })
  sockets.push(socket)
  return socket
}
const say = async (from: MemberClient, to: MemberClient, content: string) => {
  const { $id } = await from.call(openConversationOperation, { personId: to.id })
  return from.call(sendMessageOperation, { conversationId: $id, content })
}
const about = (received: readonly AppwriteEventData[], collection: string) =>
  received.filter(({ payload }) => payload.$collectionId === collection)
const signInAgain = async (person: MemberClient) => {
  const body = { email: person.email, password: testPassword }
  const answer = await w.visitor.request('POST', '/v1/account/sessions/email', body)
  return { cookie: answer.headers['set-cookie']?.split(';')[0] ?? '' }
}

describe('R01 strangers', () => {
  test('PERM-06 eva subscribes to every channel and receives nothing from ana and bea', async () => {
    const { $id: conversation } = await ana.call(openConversationOperation, { personId: bea.id })
    const { $id: known } = await say(ana, bea, 'primero')
    const attempts = [
      `${buildDocumentsChannelName('messages')}.${known}`,
      `${buildDocumentsChannelName('conversations')}.${conversation}`,
    ]
    const spying = await Promise.all([
      open(eva, w.app, [...everything, ...attempts]),
      open(eva, other.app, [...everything, ...attempts]),
    ])
    for (let n = 0; n < 25; n += 1) {
      await ana.call(sendMessageOperation, { conversationId: conversation, content: `ana ${n}` })
      await bea.call(sendMessageOperation, { conversationId: conversation, content: `bea ${n}` })
    }
    for (const socket of spying) {
      expect(await collectSocketEvents(socket, ana)).toEqual([])
    }
  })

  test('A25 a caller without a valid session receives nothing', async () => {
    const visitors = [
      await open({ cookie: '' }),
      await open({ cookie: 'a_session_juntas=' }),
      await open({ cookie: 'a_session_juntas=eyJpZCI6MX0%3D' }),
      await open({ cookie: `${ana.cookie.slice(0, -8)}AAAAAAAA` }),
      await open({ cookie: ana.cookie.replace('_juntas=', '_other=') }),
    ]
    const witness = await open(bea)
    await say(ana, bea, 'x')
    await ana.call(followOperation, { personId: bea.id })
    await createPostInGroup(w.database, ana, null)
    await collectSocketEvents(witness, ana)
    for (const socket of visitors) {
      expect(socket.frames).toMatchObject([{ type: 'connected', data: { user: null } }])
    }
  })
})

describe('R02 losing access', () => {
  test('after mia is removed from a group, none of her three sockets on two nodes receives its posts', async () => {
    const group = await createGroupWithMembers(gala, ana, mia)
    const hers = [await open(mia), await open(mia), await open(mia, other.app)]
    await createPostInGroup(w.database, ana, group)
    for (const socket of hers) await socket.event('posts', 'create')
    await gala.call(removeGroupMemberOperation, { groupId: group, memberId: mia.id })
    const later = await createPostInGroup(w.database, ana, group)
    for (const socket of hers) {
      const received = await collectSocketEvents(socket, ana)
      // She is notified of her own removal.
      expect(about(received, 'groupMembers').map(({ payload }) => payload.userId)).toContain(mia.id)
      expect(about(received, 'posts').map(({ payload }) => payload.$id)).not.toContain(later)
      expect(about(received, 'posts').map(({ events }) => events[0]?.split('.').at(-1))).toEqual([
        'create',
        'delete',
      ])
    }
  })

  test('A10 a former admin can decide nothing in the group on any node, and receives no request on any socket', async () => {
    const group = await createGroupWithMembers(gala, mia)
    const before = await eva.call(requestToJoinOperation, { groupId: group })
    const hers = [await open(gala), await open(gala, other.app)]
    const theirs = await open(mia, other.app)
    await gala.call(handOverGroupOperation, { groupId: group, memberId: mia.id })
    for (const old of [gala, createApiClient(other.app, gala.cookie)]) {
      for (const decide of [approveJoinRequestOperation, rejectJoinRequestOperation])
        expect(await old.refusal(decide, { requestId: before.$id })).toMatchObject({ code: 403 })
      expect(await old.refusal(updateGroupOperation, { groupId: group, name: 'Mío' })).toMatchObject({
        code: 403,
      })
    }
    const later = await bea.call(requestToJoinOperation, { groupId: group })
    expect((await theirs.event('groupRequests', 'create')).payload.$id).toBe(later.$id)
    for (const socket of hers) {
      const received = about(await collectSocketEvents(socket, ana), 'groupRequests')
      // She receives only the deletion of the request that became hidden, and no newer requests.
      expect(received.map(({ events, payload }) => [events[0]?.split('.').at(-1), payload.$id])).toEqual([
        ['delete', before.$id],
      ])
    }
  })

  test('when a post moves into a group, its members receive the update and others do not', async () => {
    const group = await createGroupWithMembers(ana, mia)
    const post = await createPostInGroup(w.database, ana, null)
    const [outside, inside] = [await open(eva), await open(mia)]
    await ana.call(updatePostOperation, { postId: post, groupId: group })
    const kinds = async (socket: TestSocket) =>
      about(await collectSocketEvents(socket, ana), 'posts').map(({ events }) => events[0]?.split('.').at(-1))
    expect(await kinds(inside)).toEqual(['update'])
    expect((await kinds(outside)).filter((kind) => kind === 'update')).toEqual([])
  })
})

describe('R03 R12 S12 the close code at the end of a session', () => {
  const ways: [
    string,
    (session: Pick<MemberClient, 'cookie'>, person: MemberClient) => Promise<unknown>,
    number,
  ][] = [
    ['signing out', (session) => request(session, 'DELETE', '/v1/account/sessions/current'), 4001],
    ['signing out everywhere', (session) => request(session, 'DELETE', '/v1/account/sessions'), 4001],
    [
      'a new password set elsewhere',
      async (_, person) => {
        const elsewhere = await signInAgain(person)
        const body = { password: 'otra caballo pila grapa', oldPassword: testPassword }
        await request(elsewhere, 'PATCH', '/v1/account/password', body)
      },
      4001,
    ],
    [
      'a new password set from a recovery email',
      async (_, { email }) => {
        await w.visitor.request('POST', '/v1/account/recovery', { email, url: 'http://localhost:3000/' })
        const { userId, secret } = await fetchSentLinkSecret(w, email)
        const body = { userId, secret, password: 'otra caballo pila grapa' }
        expect((await w.visitor.request('PUT', '/v1/account/recovery', body)).status).toBe(200)
      },
      4001,
    ],
    ['switching the account off', (session) => request(session, 'PATCH', '/v1/account/status'), 1008],
  ]
  const request = async (as: Pick<MemberClient, 'cookie'>, method: string, path: string, body?: unknown) => {
    const answer = await w.visitor.request(method, path, body, { cookie: as.cookie })
    expect(answer.status).toBeLessThan(300)
  }

  test.each(ways)("%s closes the member's sockets on every node", async (name, act, code) => {
    const nora = await w.join(`Nora${ways.findIndex(([way]) => way === name)}`)
    const hers = [await open(nora), await open(nora, other.app)]
    const hera = await open(bea)
    await act(nora, nora)
    expect(await Promise.all(hers.map(({ closed }) => closed))).toEqual([code, code])
    expect(hera.isOpen).toBe(true)
  })

  test('the socket of an expired session closes at the next change and does not receive the change', async () => {
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

  test('an eleventh sign-in ends the oldest session and closes its socket', async () => {
    const nora = await w.join('Norma')
    const socket = await open(nora)
    for (let n = 0; n < 10; n += 1) await signInAgain(nora)
    expect(await socket.closed).toBe(4001)
  })
})

describe('R04 deletions', () => {
  test("the deletion of a group's post or of a request reaches members who could read it, and not eva", async () => {
    const group = await createGroupWithMembers(gala, mia)
    const post = await createPostInGroup(w.database, mia, group)
    const request = await bea.call(requestToJoinOperation, { groupId: group })
    const [outside, admin] = [await open(eva), await open(gala)]
    await mia.call(deletePostOperation, { postId: post })
    await bea.call(withdrawJoinRequestOperation, { requestId: request.$id })
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
    const received = JSON.stringify(await collectSocketEvents(outside, ana))
    expect(received).not.toContain(post)
    expect(received).not.toContain(request.$id)
  })

  test('when a group is deleted, its members receive the deletion of its posts and members, and others do not', async () => {
    const group = await createGroupWithMembers(gala, mia)
    const post = await createPostInGroup(w.database, mia, group)
    const [inside, outside] = [await open(mia), await open(eva)]
    const { name } = (await gala.request<{ name: string }>('GET', `/v1/groups/${group}`)).body
    await gala.call(deleteGroupOperation, { groupId: group, name })
    expect((await inside.event('posts', 'delete')).payload.$id).toBe(post)
    await inside.event('groupMembers', 'delete')
    const received = await collectSocketEvents(outside, ana)
    expect(JSON.stringify(received)).not.toContain(post)
    expect(about(received, 'groupMembers')).toEqual([])
  })
})

/** Lists have only the reader's own entry, at any depth. */
function asInEvent(given: unknown, reader: MemberClient): unknown {
  if (typeof given !== 'object' || given === null) return given
  const isDocument = (entry: unknown) => typeof entry === 'object' && entry !== null && '$id' in entry
  if (Array.isArray(given)) {
    return given
      .filter((entry) => !isDocument(entry) || entry.$id === reader.id)
      .map((entry) => asInEvent(entry, reader))
  }
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, asInEvent(value, reader)]))
}

describe('R05 event payloads', () => {
  test("each event payload equals the response to the recipient's GET, without other members in its lists", async () => {
    const hers = await open(ana)
    const theirs = await open(bea)
    // First come changes that cause no event, such as a member's counts in her posts. The member who saves
    // the post does not like it: a like event would show her the post's save count.
    await bea.call(followOperation, { personId: eva.id })
    const group = await createGroupWithMembers(ana, bea)
    await eva.call(requestToJoinOperation, { groupId: group })
    const post = await createPostInGroup(w.database, bea, group)
    await ana.call(createCommentOperation, { postId: post, content: 'Qué bonito' })
    await bea.call(likePostOperation, { postId: post })
    await ana.call(savePostOperation, { postId: post })
    await say(ana, bea, 'lo último')
    for (const [socket, reader] of [
      [hers, ana],
      [theirs, bea],
    ] as const) {
      const last = new Map(
        (await collectSocketEvents(socket, ana)).map((event) => [event.payload.$id, event]),
      )
      const seen = new Set<unknown>()
      for (const { payload } of last.values()) {
        const path = `/v1/databases/main/collections/${payload.$collectionId}/documents/${payload.$id}`
        const { status, body } = await reader.request(`GET`, path)
        expect([status, payload]).toEqual([200, asInEvent(body, reader)])
        seen.add(payload.$collectionId)
      }
      const others = reader === bea ? ['users', 'saves'] : ['users']
      expect([...seen].sort()).toEqual(collections.filter((name) => !others.includes(name)).sort())
    }
  })
})

test('R05 twenty members receive one post, each equal to the response to her own GET, without other likers', async () => {
  const crowd: MemberClient[] = []
  for (let n = 0; n < 20; n += 1) crowd.push(await w.join(`Nadia ${n}`))
  const theirs = await Promise.all(crowd.map((person, n) => open(person, n % 2 ? w.app : other.app)))
  const post = await createPostInGroup(w.database, crowd[0] as MemberClient, null)
  await Promise.all(crowd.map((person) => person.call(likePostOperation, { postId: post })))
  await Promise.all(
    theirs.map((socket) =>
      socket.until(
        ({ data = {} }) => (data.payload as { likesTotal?: number } | undefined)?.likesTotal === crowd.length,
      ),
    ),
  )
  for (const [n, person] of crowd.entries()) {
    const received = about(theirs[n]?.events() ?? [], 'posts').at(-1)?.payload
    const path = `/v1/databases/main/collections/posts/documents/${post}`
    expect(asInEvent((await person.request('GET', path)).body, person)).toEqual(received)
  }
})

describe('R09 the owner of a socket', () => {
  test('five wrong sessions close the socket permanently', async () => {
    const socket = await open({ cookie: '' })
    for (let n = 0; n < 5; n += 1) socket.send({ type: 'authentication', data: { session: `wrong ${n}` } })
    expect(await socket.closed).toBe(1008)
    expect(socket.frames.slice(1)).toEqual([
      ...Array(4).fill({ type: 'error', data: { code: 1003, message: 'Session is not valid.' } }),
      { type: 'error', data: { code: 1008, message: 'Session is not valid.' } },
    ])
  })

  test("a socket cannot change to another member, even with that member's valid session", async () => {
    const socket = await open(eva)
    const session = decodeURIComponent(ana.cookie.split('=').slice(1).join('='))
    socket.send({ type: 'authentication', data: { session } })
    await socket.until(({ type }) => type === 'error')
    await say(bea, ana, 'para ana')
    await say(bea, eva, 'para eva')
    const received = JSON.stringify(await collectSocketEvents(socket, ana))
    expect(received).not.toContain('para ana')
    expect(received).toContain('para eva')
  })
})

test('R10 a member admitted to a group receives its changes from that moment on', async () => {
  const group = await createGroupWithMembers(gala)
  const socket = await open(eva)
  const before = await createPostInGroup(w.database, gala, group)
  await admitMemberToGroup(gala, eva, group)
  const after = await createPostInGroup(w.database, gala, group)
  await socket.event('posts', 'create')
  const posts = about(await collectSocketEvents(socket, ana), 'posts').map(({ payload }) => payload.$id)
  expect(posts).toContain(after)
  expect(posts).not.toContain(before)
})

/** Returns everything that a person receives, by socket and by catching up, as text. */
async function receivedBy(
  person: MemberClient,
  act: () => Promise<unknown>,
): Promise<{ live: string; later: string }> {
  const socket = await open(person)
  const since = await waitForChangePosition(w.database, person)
  await act()
  const live = JSON.stringify(await collectSocketEvents(socket, ana))
  const { changes } = await person.call(catchUpOperation, { since })
  return { live, later: JSON.stringify(changes) }
}

describe('deletions sent because of lost access', () => {
  test('when a public post moves into a group, others receive the id of the post, not of the group', async () => {
    const group = await createGroupWithMembers(ana, mia)
    const post = await createPostInGroup(w.database, ana, null)
    const received = await receivedBy(eva, () =>
      ana.call(updatePostOperation, { postId: post, groupId: group }),
    )
    for (const text of Object.values(received)) {
      expect(text).toContain(post)
      expect(text).not.toContain(group)
    }
  })

  test("when a post moves to another group, the old group's members receive the id of the post, not of the new group", async () => {
    const [one, another] = [await createGroupWithMembers(ana, mia), await createGroupWithMembers(ana)]
    const post = await createPostInGroup(w.database, ana, one)
    const received = await receivedBy(mia, () =>
      ana.call(updatePostOperation, { postId: post, groupId: another }),
    )
    for (const text of Object.values(received)) {
      expect(text).toContain(post)
      expect(text).not.toContain(another)
    }
  })

  test("a removed member's catch-up does not name members who joined, wrote or asked meanwhile", async () => {
    const group = await createGroupWithMembers(gala, mia)
    const since = await waitForChangePosition(w.database, mia)
    await admitMemberToGroup(gala, eva, group)
    const post = await createPostInGroup(w.database, eva, group)
    await bea.call(requestToJoinOperation, { groupId: group })
    await gala.call(removeGroupMemberOperation, { groupId: group, memberId: mia.id })
    const text = JSON.stringify((await mia.call(catchUpOperation, { since })).changes)
    expect(text).toContain(post)
    for (const { id } of [eva, bea]) expect(text).not.toContain(id)
  })

  test("a former admin's catch-up does not name the requester", async () => {
    const group = await createGroupWithMembers(gala, mia)
    const since = await waitForChangePosition(w.database, gala)
    const { $id } = await eva.call(requestToJoinOperation, { groupId: group })
    await gala.call(handOverGroupOperation, { groupId: group, memberId: mia.id })
    const text = JSON.stringify((await gala.call(catchUpOperation, { since })).changes)
    expect(text).toContain($id)
    expect(text).not.toContain(eva.id)
  })

  test('open sockets receive the text of a deleted post, and a later catch-up does not contain the text', async () => {
    const post = await createPostInGroup(w.database, ana, null)
    const received = await receivedBy(eva, () => ana.call(deletePostOperation, { postId: post }))
    expect(received.live).toContain('Una tarde juntas')
    expect(received.later).toContain(post)
    expect(received.later).not.toContain('Una tarde juntas')
  })
})
