import { afterAll, beforeEach, expect, test } from 'vitest'
import { createCommentOperation, deleteCommentOperation } from '#contract/comments/comments.ts'
import { updateNotificationPreferencesOperation } from '#contract/notifications/notification-preferences.ts'
import {
  countNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
  notificationTextLength,
} from '#contract/notifications/notifications.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { describeNotification, readNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

const w: TestWorld = await createTestWorld({ LIMITS: 'off' })
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

const postOf = (author: MemberClient, group: string | null = null) =>
  createPostInGroup(w.database, author, group)
const say = async (who: MemberClient, postId: string, content: string, parentId?: string) =>
  (await who.call(createCommentOperation, { postId, content, ...(parentId && { parentId }) })).$id
const list = (who: MemberClient) => readNotifications(w.database, who)
const saysTo = async (who: MemberClient) => (await list(who)).map(describeNotification)
const at = ({ email }: MemberClient) => `@${email.split('@')[0]}`

test("NOT-17 comments on ana's post share one row with the newest text and the post's picture", async () => {
  const post = await postOf(ana)
  await say(bea, post, '¡Qué\nbonito!')
  expect(await list(ana)).toMatchObject([
    {
      kind: 'comment',
      count: 1,
      unread: true,
      people: [{ $id: bea.id }],
      comment: { text: '¡Qué bonito!' },
      post: { $id: post, imageId: expect.any(String) },
    },
  ])
  await say(cora, post, 'Me encanta')
  const again = await say(bea, post, 'x'.repeat(500))
  const [row, ...others] = await list(ana)
  expect(others).toEqual([])
  expect(row).toMatchObject({
    count: 2,
    people: [{ $id: bea.id }, { $id: cora.id }],
    comment: { $id: again },
  })
  expect(row?.comment?.text).toBe(`${'x'.repeat(notificationTextLength - 1)}…`)
  await bea.call(deleteCommentOperation, { commentId: again })
  expect(await list(ana)).toMatchObject([{ count: 2, comment: { text: 'Me encanta' } }])
})

test('NOT-17 a reply notifies the author of the comment, and a comment notifies the author of the post', async () => {
  const post = await postOf(ana)
  const thread = await say(bea, post, '¿Dónde es?')
  await say(cora, post, 'En Oaxaca', thread)
  expect(await saysTo(bea)).toEqual(['Cora reply'])
  expect(await list(bea)).toMatchObject([{ post: { $id: post }, comment: { text: 'En Oaxaca' } }])
  expect(await saysTo(ana)).toEqual(['Cora, Bea comment'])
  await say(ana, post, 'Sí, en Oaxaca', thread)
  expect(await saysTo(bea)).toEqual(['Ana, Cora reply'])
  await say(bea, post, 'Gracias', thread)
  expect(await saysTo(bea)).toEqual(['Ana, Cora reply'])
})

test('NOT-17 a comment that is also a mention or a reply creates one row', async () => {
  const post = await postOf(ana)
  await say(bea, post, `Mira ${at(ana)}`)
  expect(await saysTo(ana)).toEqual(['Bea mention'])
  const thread = await say(ana, post, 'Gracias')
  await say(bea, post, 'De nada', thread)
  expect(await saysTo(ana)).toEqual(['Bea reply', 'Bea mention'])
  await say(cora, post, `Y yo, ${at(ana)}`, thread)
  expect(await saysTo(ana)).toEqual(['Cora mention', 'Bea reply', 'Bea mention'])
})

test('NOT-17 with mentions switched off, a comment that mentions ana notifies her as a comment', async () => {
  await ana.call(updateNotificationPreferencesOperation, { kinds: ['mention'], enabled: false })
  await say(bea, await postOf(ana), `Mira ${at(ana)}`)
  expect(await saysTo(ana)).toEqual(['Bea comment'])
  await ana.call(updateNotificationPreferencesOperation, { kinds: ['comment'], enabled: false })
  expect(await saysTo(ana)).toEqual([])
})

test('NOT-17 a mention by someone ana does not follow shows no text, but a comment on her post does', async () => {
  await say(bea, await postOf(cora), `Mira ${at(ana)}`)
  expect(await list(ana)).toMatchObject([{ kind: 'mention', comment: null }])
  await say(bea, await postOf(ana), 'Hola')
  expect((await list(ana))[0]).toMatchObject({ kind: 'comment', comment: { text: 'Hola' } })
})

test('NOT-17 a comment in a group notifies the author of the post, and nobody outside the group', async () => {
  const group = await createGroupWithMembers(ana, bea)
  const post = await postOf(bea, group)
  await say(ana, post, 'Hola')
  expect(await list(bea)).toMatchObject([
    { kind: 'comment', group: { $id: group } },
    { kind: 'join-approved' },
  ])
  expect(await saysTo(cora)).toEqual([])
})

test('NOT-17 a comment written through the documents API notifies in the same way', async () => {
  const post = await postOf(ana)
  const created = await createAppwriteDocumentsClient(bea, 'comments').create({
    postId: post,
    content: 'Desde otra aplicación',
  })
  expect(created.status).toBe(201)
  expect(await list(ana)).toMatchObject([{ kind: 'comment', comment: { text: 'Desde otra aplicación' } }])
})

test('NOT-10 opening the post marks its comments as read, and the next comment is unread', async () => {
  const post = await postOf(ana)
  await say(bea, post, 'Hola')
  const [row] = await list(ana)
  const upTo = row?.seq ?? 0
  await ana.call(markNotificationsSeenOperation, { upTo })
  await ana.call(markNotificationsReadOperation, { upTo, postId: post })
  expect(await ana.call(countNotificationsOperation, {})).toEqual({ unseen: 0, unread: 0, requests: 0 })
  await say(bea, post, 'Otra vez')
  expect(await list(ana)).toMatchObject([{ unread: true, count: 1 }])
})
