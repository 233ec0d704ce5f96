import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { beginAuthenticatorOperation, turnOnTwoFactorOperation } from '#contract/account/account-settings.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { leaveGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  rejectJoinRequestOperation,
  requestToJoinOperation,
  withdrawJoinRequestOperation,
} from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import {
  getNotificationPreferencesOperation,
  updateNotificationPreferencesOperation,
} from '#contract/notifications/notification-preferences.ts'
import {
  countNotificationsOperation,
  listNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
} from '#contract/notifications/notifications.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import {
  approveFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import {
  muteMemberOperation,
  restrictMemberOperation,
  unmuteMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { followOperation, unfollowOperation, updateProfileOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  likePostOperation,
  unlikePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { timeoutsWithShortLockWait } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { waitForSecondLockWait } from '#tests/support/lock-waits.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import {
  describeNotification,
  readNotifications,
  settleNotifications,
} from '#tests/support/settle-notifications.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

const w: TestWorld = await createTestWorld()
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

let ana: MemberClient
let bea: MemberClient
let cora: MemberClient
beforeEach(async () => {
  ;[ana, bea, cora] = await Promise.all([w.join('Ana'), w.join('Bea'), w.join('Cora')])
})

const at = ({ email }: MemberClient) => `@${email.split('@')[0]}`
const postOf = (author: MemberClient, group: string | null = null) =>
  createPostInGroup(w.database, author, group)
const like = (who: MemberClient, postId: string) => who.call(likePostOperation, { postId })
const unlike = (who: MemberClient, postId: string) => who.call(unlikePostOperation, { postId })
const list = (who: MemberClient) => readNotifications(w.database, who)
const saysTo = async (who: MemberClient) => (await list(who)).map(describeNotification)
const countsOf = async (who: MemberClient) => {
  await settleNotifications(w.database)
  return who.call(countNotificationsOperation, {})
}
const nothing = { unseen: 0, unread: 0, requests: 0 }
const captioned = async (author: MemberClient, caption: string, groupId: string | null = null) => {
  const imageId = await insertUploadedImageRow(w.database, author)
  const { $id } = await author.call(createPostOperation, {
    caption,
    location: 'Casa',
    tags: [],
    imageId,
    groupId,
  })
  return $id
}
const changesOfNotifications = async () => {
  const { rows } = await w.database.pool.query(
    `select count(*)::int as count from changes where collection = 'notifications'`,
  )
  return rows[0].count as number
}
const passHours = async (who: MemberClient, hours: number) => {
  await w.database.pool.query(
    `update notifications set last_at = last_at - make_interval(hours => $2), since = since - make_interval(hours => $2)
     where user_id = (select id from users where public_id = $1)`,
    [who.id, hours],
  )
  await w.database.pool.query(
    'update notification_throttle set rung_at = rung_at - make_interval(hours => $1)',
    [hours],
  )
}

describe('likes', () => {
  test('NOT-02 many likes of a post create one row with the newest two members and a number', async () => {
    const post = await postOf(ana)
    await like(bea, post)
    expect(await saysTo(ana)).toEqual(['Bea like'])
    await like(cora, post)
    expect(await saysTo(ana)).toEqual(['Cora, Bea like'])
    const others = await Promise.all(['Dora', 'Eva', 'Flor'].map((name) => w.join(name)))
    for (const other of others) await like(other, post)
    const [row, ...rest] = await list(ana)
    expect(rest).toEqual([])
    expect(row).toMatchObject({ kind: 'like', count: 5, unread: true, post: { $id: post } })
    expect(await countsOf(ana)).toEqual({ unseen: 1, unread: 1, requests: 0 })
  })

  test('NOT-06 a withdrawn like is neither shown nor counted', async () => {
    const post = await postOf(ana)
    await like(bea, post)
    expect(await countsOf(ana)).toEqual({ unseen: 1, unread: 1, requests: 0 })
    await unlike(bea, post)
    expect(await saysTo(ana)).toEqual([])
    expect(await countsOf(ana)).toEqual(nothing)
  })

  test('NOT-06 notifications from closed or blocked accounts disappear, and come back afterwards', async () => {
    const post = await postOf(ana)
    await like(bea, post)
    await like(cora, post)
    await ana.call(blockMemberOperation, { personId: bea.id })
    expect(await saysTo(ana)).toEqual(['Cora like'])
    await cora.call(blockMemberOperation, { personId: ana.id })
    expect(await saysTo(ana)).toEqual([])
    expect(await countsOf(ana)).toEqual(nothing)
    await ana.call(unblockMemberOperation, { personId: bea.id })
    await cora.call(unblockMemberOperation, { personId: ana.id })
    expect(await saysTo(ana)).toEqual(['Cora, Bea like'])
    const closed = await bea.request('PATCH', '/v1/account/status')
    expect(closed.status).toBe(200)
    expect(await saysTo(ana)).toEqual(['Cora like'])
  })

  test('NOT-06 a member gets no notifications from muted or restricted members, earlier notifications included', async () => {
    const [first, second] = [await postOf(ana), await postOf(ana)]
    await like(bea, first)
    expect(await saysTo(ana)).toEqual(['Bea like'])
    await ana.call(muteMemberOperation, { personId: bea.id })
    await like(bea, second)
    expect(await saysTo(ana)).toEqual([])
    await like(cora, first)
    await countsOf(ana)
    const [row] = await list(ana)
    await ana.call(markNotificationsSeenOperation, { upTo: row?.seq ?? 0 })
    await ana.call(restrictMemberOperation, { personId: cora.id })
    expect(await saysTo(ana)).toEqual([])
    await ana.call(unmuteMemberOperation, { personId: bea.id })
    expect(await saysTo(ana)).toEqual(['Bea like'])
    expect(await countsOf(ana)).toMatchObject({ unseen: 0 })
  })

  test('NOT-15 liking and unliking ten times notifies once', async () => {
    const post = await postOf(ana)
    await like(bea, post)
    const [before] = await list(ana)
    await ana.call(markNotificationsSeenOperation, { upTo: before?.seq ?? 0 })
    for (let n = 0; n < 10; n += 1) {
      await unlike(bea, post)
      await like(bea, post)
      if (n % 3 === 0) await settleNotifications(w.database)
    }
    expect((await list(ana)).map(({ seq }) => seq)).toEqual([before?.seq])
    expect(await countsOf(ana)).toMatchObject({ unseen: 0 })
    await unlike(bea, post)
    await passHours(ana, 25)
    await like(bea, post)
    expect(await countsOf(ana)).toMatchObject({ unseen: 1 })
  })

  test('NOT-02 a row that was seen and then idle for a day starts over with the next like', async () => {
    const post = await postOf(ana)
    await like(bea, post)
    await w.database.pool.query(`update post_likes set created_at = created_at - interval '26 hours'`)
    const [row] = await list(ana)
    await ana.call(markNotificationsSeenOperation, { upTo: row?.seq ?? 0 })
    await passHours(ana, 25)
    await like(cora, post)
    expect(await saysTo(ana)).toEqual(['Cora like'])
  })

  test("a member's own likes and posts do not notify her", async () => {
    await like(ana, await postOf(ana))
    expect(await saysTo(ana)).toEqual([])
  })
})

describe('other kinds', () => {
  test('NOT-04 a follow, a mention, a group post, a request to join and its approval each notify', async () => {
    await bea.call(followOperation, { personId: ana.id })
    expect(await saysTo(ana)).toEqual(['Bea follow'])

    const { $id: group } = await ana.call(createGroupOperation, { name: 'Cerámica' })
    const { $id: requestId } = await bea.call(requestToJoinOperation, { groupId: group })
    expect(await saysTo(ana)).toEqual(['Bea join-request', 'Bea follow'])
    await ana.call(approveJoinRequestOperation, { requestId })
    expect(await list(bea)).toMatchObject([
      { kind: 'join-approved', people: [], group: { $id: group, name: 'Cerámica' } },
    ])

    await admitMemberToGroup(ana, cora, group)
    const post = await captioned(bea, `Mira esto, ${at(ana)}. ¿Te gusta?`, group)
    const [mention, posted] = await list(ana)
    expect(mention).toMatchObject({ kind: 'mention', post: { $id: post }, group: { $id: group } })
    expect(posted).toMatchObject({ kind: 'group-post', count: 1, post: { $id: post }, group: { $id: group } })
    await postOf(cora, group)
    expect((await saysTo(ana))[0]).toBe('Cora, Bea group-post')
  })

  test('NOT-04 a sign-in from an unknown browser notifies the member', async () => {
    expect(await saysTo(ana)).toEqual([])
    await w.database.pool.query(
      `insert into sessions (public_id, account_id, secret_hash, provider, user_agent, from_known_browser, expires_at)
       select 'other' || u.public_id, account_id, sha256(u.public_id::text::bytea), 'email',
         'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', false,
         clock_timestamp() + interval '1 day'
       from users u where public_id = $1`,
      [ana.id],
    )
    expect(await list(ana)).toMatchObject([
      { kind: 'new-device', people: [], device: { browser: 'Chrome', system: 'Linux' } },
    ])
  })

  test("NOT-04 signing in from an unknown browser and out again at once does not remove the owner's notification", async () => {
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const signedIn = await w.visitor.request(
      'POST',
      '/v1/sessions',
      { email: ana.email, password: testPassword },
      { 'user-agent': userAgent },
    )
    const cookie = extractCookieHeader(signedIn)
    const signedOut = await w.visitor.request('DELETE', '/v1/sessions/current', undefined, { cookie })
    expect(signedOut.status).toBe(204)
    expect(await list(ana)).toMatchObject([
      { kind: 'new-device', device: { browser: 'Firefox', system: 'Windows' } },
    ])
    expect(await countsOf(ana)).toEqual({ unseen: 1, unread: 1, requests: 0 })
  })

  test('NOT-04 with two-factor authentication, a new device is reported only after the second step', async () => {
    const { secret } = await ana.call(beginAuthenticatorOperation, {})
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await ana.call(turnOnTwoFactorOperation, { code: totp.generate() })
    await w.database.pool.query('update totp_secrets set last_step = 0')
    const half = await w.visitor.request('POST', '/v1/sessions', {
      email: ana.email,
      password: testPassword,
    })
    expect(await saysTo(ana)).toEqual([])
    const whole = await w.visitor.request(
      'PUT',
      '/v1/sessions/current/second-step',
      { factor: 'totp', code: totp.generate() },
      { cookie: extractCookieHeader(half) },
    )
    expect(whole.status).toBe(200)
    expect(await saysTo(ana)).toEqual(['new-device'])
  })

  test('a private account is notified of follow requests, but not of its own approvals', async () => {
    await ana.call(updatePrivacySettingsOperation, { isPrivate: true })
    await bea.call(followOperation, { personId: ana.id })
    expect(await list(ana)).toMatchObject([{ kind: 'follow-request', request: { status: 'pending' } }])
    expect(await countsOf(ana)).toEqual({ unseen: 1, unread: 1, requests: 1 })
    const { documents } = await ana.call(listFollowRequestsOperation, {})
    await ana.call(approveFollowRequestOperation, { requestId: documents[0]?.$id ?? '' })
    expect(await saysTo(ana)).toEqual([])
    expect(await countsOf(ana)).toEqual(nothing)
  })

  test('a message request notifies its recipient', async () => {
    await ana.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
    const { $id: conversationId } = await bea.call(openConversationOperation, { personId: ana.id })
    for (const content of ['hola', '¿estás?'])
      await bea.call(sendMessageOperation, { conversationId, content })
    const imageId = await bea.upload(await createJpeg('#445566'))
    await bea.call(updateProfileOperation, { personId: bea.id, imageId })
    const [request] = await list(ana)
    expect(request).toMatchObject({ kind: 'message-request', conversationId, count: 1 })
    // The notification hides the photo, as the message request does.
    expect(request?.people).toMatchObject([{ $id: bea.id, imageId: null }])
    expect(JSON.stringify(request)).not.toContain(imageId)
    expect(await countsOf(ana)).toEqual({ unseen: 1, unread: 1, requests: 1 })
    await ana.call(sendMessageOperation, { conversationId, content: 'hola' })
    expect(await saysTo(ana)).toEqual([])
  })

  test('NOT-05 NOT-15 the notification of a request shows the decision, and a repeated request does not notify again', async () => {
    const { $id: groupId } = await ana.call(createGroupOperation, { name: 'Cerámica' })
    const { $id: first } = await bea.call(requestToJoinOperation, { groupId })
    const [row] = await list(ana)
    expect(row).toMatchObject({ kind: 'join-request', request: { $id: first, status: 'pending' } })
    await bea.call(withdrawJoinRequestOperation, { requestId: first })
    expect(await saysTo(ana)).toEqual([])
    const { $id: second } = await bea.call(requestToJoinOperation, { groupId })
    expect(await list(ana)).toMatchObject([{ seq: row?.seq, request: { $id: second, status: 'pending' } }])
    expect(await countsOf(ana)).toMatchObject({ requests: 1 })
    await ana.call(rejectJoinRequestOperation, { requestId: second })
    expect(await countsOf(ana)).toEqual(nothing)
    expect(await list(ana)).toMatchObject([{ request: { $id: second, status: 'rejected' } }])
    expect(await countsOf(ana)).toMatchObject({ requests: 0 })
  })

  test('adding a mention notifies the newly mentioned members, but nobody who cannot read the post', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const post = await captioned(ana, `Con ${at(bea)} y ${at(cora)}`, group)
    expect(await saysTo(bea)).toEqual(['Ana mention', 'Ana group-post', 'join-approved'])
    expect(await saysTo(cora)).toEqual([])
    const [mention] = await list(bea)
    const change = (caption: string) =>
      ana.call(updatePostOperation, { postId: post, caption, location: 'Casa', tags: [], groupId: group })
    await change(`Con ${at(bea)} y más`)
    expect((await list(bea))[0]?.seq).toBe(mention?.seq)
    await change('Con nadie')
    expect(await saysTo(bea)).toEqual(['Ana group-post', 'join-approved'])
  })

  test('a mention matches the whole username: a longer name is another member, and a final full stop is ignored', async () => {
    const setUsername = (who: MemberClient, username: string) =>
      w.database.pool.query('update users set username = $2 where public_id = $1', [who.id, username])
    const name = `lía.${ana.id.slice(0, 8)}`.toLowerCase()
    await setUsername(ana, name)
    const post = await captioned(cora, `Con @${name}. Y más`)
    expect(await saysTo(ana)).toEqual(['Cora mention'])
    await setUsername(bea, `${name}stasia`)
    const change = (caption: string) =>
      cora.call(updatePostOperation, { postId: post, caption, location: 'Casa', tags: [], groupId: null })
    await change(`Con @${name}stasia`)
    expect(await saysTo(ana)).toEqual([])
    await change(`Con @${name}_.`)
    expect(await saysTo(ana)).toEqual(['Cora mention'])
  })

  test("a mention shows the post's picture and the author's face only from followed people or in a common group", async () => {
    const face = await bea.upload(await createJpeg())
    await bea.call(updateProfileOperation, { personId: bea.id, name: 'Bea', imageId: face })
    const post = await captioned(bea, `Mira ${at(ana)}`)
    const faceless = { imageId: null }
    expect(await list(ana)).toMatchObject([
      { post: { $id: post, imageId: null, imageUrl: null }, people: [faceless] },
    ])
    await ana.call(followOperation, { personId: bea.id })
    const shown = { post: { $id: post, imageId: expect.any(String) }, people: [{ imageId: face }] }
    expect((await list(ana)).find(({ kind }) => kind === 'mention')).toMatchObject(shown)
    const group = await createGroupWithMembers(bea, cora)
    await captioned(bea, `Hola ${at(cora)}`, group)
    expect((await list(cora)).find(({ kind }) => kind === 'mention')).toMatchObject({
      post: { imageId: expect.any(String) },
      people: [{ imageId: face }],
    })
  })

  test('one caption notifies at most ten members', async () => {
    const people = await Promise.all(Array.from({ length: 11 }, (_, n) => w.join(`Mila${n}`)))
    await captioned(ana, people.map(at).join(' '))
    const changes = await Promise.all(people.map(async (one) => (await list(one)).length))
    expect(changes.reduce((sum, n) => sum + n, 0)).toBe(10)
  })
})

describe('hidden content', () => {
  test("NOT-07 a group's notifications are not listed or counted from the request after the member's removal on", async () => {
    const group = await createGroupWithMembers(ana, bea, cora)
    const post = await captioned(ana, `Hola ${at(bea)}`, group)
    const own = await postOf(bea, group)
    await like(cora, own)
    expect(await saysTo(bea)).toHaveLength(4)
    await ana.call(removeGroupMemberOperation, { groupId: group, memberId: bea.id })
    expect(await saysTo(bea)).toEqual([])
    expect(await countsOf(bea)).toEqual(nothing)
    await like(cora, post)
    await captioned(ana, `Adiós ${at(bea)}`, group)
    expect(await saysTo(bea)).toEqual([])
  })

  test('NOT-08 notifications of a post disappear when the post is deleted or moved into a group that the recipient is not in', async () => {
    const [first, second] = [await captioned(ana, `${at(bea)} uno`), await captioned(ana, `${at(bea)} dos`)]
    expect(await saysTo(bea)).toEqual(['Ana mention', 'Ana mention'])
    const group = await createGroupWithMembers(ana, cora)
    await ana.call(updatePostOperation, {
      postId: second,
      caption: `${at(bea)} dos`,
      location: 'Casa',
      tags: [],
      groupId: group,
    })
    await ana.call(deletePostOperation, { postId: first })
    expect(await saysTo(bea)).toEqual([])
    expect(await countsOf(bea)).toEqual(nothing)
  })

  test('a member who left a group no longer sees who liked her post in the group', async () => {
    const group = await createGroupWithMembers(ana, bea)
    await like(ana, await postOf(bea, group))
    expect((await saysTo(bea))[0]).toBe('Ana like')
    await bea.call(leaveGroupOperation, { groupId: group })
    expect(await saysTo(bea)).toEqual([])
  })
})

describe('seen and read marks', () => {
  test('NOT-09 opening the list clears the number but keeps the dots; reading clears one dot or all', async () => {
    const posts = [await postOf(ana), await postOf(ana), await postOf(ana)]
    for (const post of posts) await like(bea, post)
    const rows = await list(ana)
    const upTo = rows[0]?.seq ?? 0
    expect(await countsOf(ana)).toEqual({ unseen: 3, unread: 3, requests: 0 })
    await ana.call(markNotificationsSeenOperation, { upTo })
    expect(await countsOf(ana)).toEqual({ unseen: 0, unread: 3, requests: 0 })
    await ana.call(markNotificationsReadOperation, { upTo, ids: [rows[1]?.$id ?? ''] })
    expect((await list(ana)).map(({ unread }) => unread)).toEqual([true, false, true])
    expect((await readNotifications(w.database, ana, 'unread')).map(({ $id }) => $id)).toEqual([
      rows[0]?.$id,
      rows[2]?.$id,
    ])
    await ana.call(markNotificationsReadOperation, { upTo })
    expect(await countsOf(ana)).toEqual(nothing)
    await ana.call(markNotificationsSeenOperation, { upTo: 0 })
    expect(await countsOf(ana)).toMatchObject({ unseen: 0 })
  })

  test('NOT-10 opening a post clears its dot, and later notifications stay unread', async () => {
    const post = await postOf(ana)
    await like(bea, post)
    const [row] = await list(ana)
    await like(cora, post)
    await settleNotifications(w.database)
    await ana.call(markNotificationsReadOperation, { upTo: row?.seq ?? 0, postId: post })
    await ana.call(markNotificationsReadOperation, { upTo: row?.seq ?? 0 })
    const [later] = await list(ana)
    expect(later).toMatchObject({ unread: true })
    await ana.call(markNotificationsReadOperation, { upTo: later?.seq ?? 0, postId: post })
    expect(await list(ana)).toMatchObject([{ unread: false }])
  })

  test("nobody can mark another member's notifications as read or seen", async () => {
    await like(bea, await postOf(ana))
    const [row] = await list(ana)
    await bea.call(markNotificationsReadOperation, { upTo: 1000, ids: [row?.$id ?? ''] })
    await bea.call(markNotificationsSeenOperation, { upTo: 1000 })
    expect(await countsOf(ana)).toEqual({ unseen: 1, unread: 1, requests: 0 })
    expect(await saysTo(bea)).toEqual([])
  })
})

describe("while a notification round locks a member's marks", () => {
  test('the list of notifications still opens while a round locks the marks, and mark requests wait', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const setMembers = (count: string) =>
      w.database.pool.query(`update groups set member_count = ${count} where public_id = $1`, [group])
    await setMembers('member_count + 5000')
    await settleNotifications(w.database)
    const post = await postOf(ana, group)
    await settleNotifications(w.database)
    const [before] = (await bea.call(listNotificationsOperation, { only: 'requests' })).documents
    expect(before).toBeUndefined()
    await postOf(ana, group)
    const node = await startSecondServerNode(
      w.database,
      { DATA_DIR: w.dataDir },
      undefined,
      timeoutsWithShortLockWait,
    )
    const round = await w.database.pool.connect()
    try {
      await round.query('begin')
      await round.query(
        'select from notification_marks m join users u on u.id = m.user_id where u.public_id = $1 for update of m',
        [bea.id],
      )
      const { documents } = await bea.call(listNotificationsOperation, {})
      expect(documents).toMatchObject([{ kind: 'group-post', post: {} }, { kind: 'join-approved' }])
      const marking = createApiClient(node.app, bea.cookie).call(markNotificationsReadOperation, {
        upTo: documents[0]?.seq ?? 0,
      })
      await waitForSecondLockWait(w.database)
      await round.query('commit')
      await marking
    } finally {
      round.release()
      await node.end()
    }
    expect(post).toBeDefined()
    await setMembers('member_count - 5000')
  })
})

describe('preferences', () => {
  test('a kind that is turned off is neither listed nor counted, and returns when turned on again', async () => {
    await like(bea, await postOf(ana))
    await bea.call(followOperation, { personId: ana.id })
    expect(await ana.call(getNotificationPreferencesOperation, {})).toEqual({ off: [] })
    expect(
      await ana.call(updateNotificationPreferencesOperation, { kinds: ['like'], enabled: false }),
    ).toEqual({
      off: ['like'],
    })
    expect(await saysTo(ana)).toEqual(['Bea follow'])
    expect(await countsOf(ana)).toMatchObject({ unseen: 1 })
    await ana.call(updateNotificationPreferencesOperation, { kinds: ['like'], enabled: true })
    expect(await saysTo(ana)).toEqual(['Bea follow', 'Bea like'])
    expect((await bea.call(getNotificationPreferencesOperation, {})).off).toEqual([])
  })

  test('notifications about account security cannot be turned off', async () => {
    const refused = await ana.request('PATCH', '/v1/me/notification-preferences', {
      kinds: ['new-device'],
      enabled: false,
    })
    expect(refused.status).toBe(400)
  })
})

test('a follow request after an earlier follow is unread and listed first', async () => {
  await bea.call(followOperation, { personId: ana.id })
  await like(cora, await postOf(ana))
  const [newest] = await list(ana)
  await ana.call(markNotificationsReadOperation, { upTo: newest?.seq ?? 0 })
  await bea.call(unfollowOperation, { personId: ana.id })
  await ana.call(updatePrivacySettingsOperation, { isPrivate: true })
  await bea.call(followOperation, { personId: ana.id })
  expect((await list(ana))[0]).toMatchObject({ kind: 'follow-request', unread: true })
  expect(await countsOf(ana)).toMatchObject({ unseen: 1, unread: 1 })
})

describe('actions of a blocked member in a common group', () => {
  const block = (by: MemberClient, of: MemberClient) => by.call(blockMemberOperation, { personId: of.id })
  const movedBy = async (work: () => Promise<unknown>) => {
    await settleNotifications(w.database)
    const before = await changesOfNotifications()
    await work()
    const counts = await countsOf(ana)
    const changes = (await changesOfNotifications()) - before
    const [newest] = await list(ana)
    await cora.call(followOperation, { personId: ana.id })
    const [follow] = await list(ana)
    return { counts, changes, numbers: (follow?.seq ?? 0) - (newest?.seq ?? 0) }
  }

  test.each(['ana', 'bea'])(
    "NOT-06 bea's actions in a common group neither notify ana nor restore her read row after a block by %s",
    async (by) => {
      const group = await createGroupWithMembers(cora, ana, bea)
      await postOf(cora, group)
      const [row] = await list(ana)
      await ana.call(markNotificationsSeenOperation, { upTo: row?.seq ?? 0 })
      await ana.call(markNotificationsReadOperation, { upTo: row?.seq ?? 0 })
      await (by === 'ana' ? block(ana, bea) : block(bea, ana))
      // Bea did not block cora, so cora is notified.
      expect(await movedBy(() => postOf(bea, group))).toEqual({ counts: nothing, changes: 1, numbers: 1 })
    },
  )

  test.each(['ana', 'bea'])(
    "NOT-06 bea's request to join ana's group does not notify ana after a block by %s",
    async (by) => {
      const group = await createGroupWithMembers(ana)
      await (by === 'ana' ? block(ana, bea) : block(bea, ana))
      const asking = () => bea.call(requestToJoinOperation, { groupId: group })
      expect(await movedBy(asking)).toEqual({ counts: nothing, changes: 0, numbers: 1 })
    },
  )

  test('NOT-06 an admin who blocked a member is notified of her group posts, because the admin moderates the group', async () => {
    const group = await createGroupWithMembers(ana, bea)
    await block(ana, bea)
    await postOf(bea, group)
    expect(await saysTo(ana)).toEqual(['Bea group-post'])
  })
})

test('sockets of notified members learn that notifications changed, without ids', async () => {
  const [hers, others] = await Promise.all(
    [ana, bea].map((as) => openTestSocket(w.app, { as, path: '/v1/live' })),
  )
  await cora.call(followOperation, { personId: ana.id })
  const frame = await hers?.until(({ data }) => data?.collection === 'notifications')
  expect(frame?.data).toMatchObject({ kind: 'update', document: { $id: 'notifications' } })
  expect(others?.frames.filter(({ data }) => data?.collection === 'notifications')).toEqual([])
  hers?.close()
  others?.close()
})

test('a follow that was withdrawn and repeated is one row and notifies once', async () => {
  await bea.call(followOperation, { personId: ana.id })
  const [before] = await list(ana)
  await bea.call(unfollowOperation, { personId: ana.id })
  expect(await saysTo(ana)).toEqual([])
  await bea.call(followOperation, { personId: ana.id })
  expect(await list(ana)).toMatchObject([{ kind: 'follow', seq: before?.seq }])
})

test('approving a request twice notifies once', async () => {
  const { $id: groupId } = await ana.call(createGroupOperation, { name: 'Cerámica' })
  const { $id: requestId } = await bea.call(requestToJoinOperation, { groupId })
  await ana.call(approveJoinRequestOperation, { requestId })
  await ana.refusal(approveJoinRequestOperation, { requestId })
  expect(await saysTo(bea)).toEqual(['join-approved'])
})
