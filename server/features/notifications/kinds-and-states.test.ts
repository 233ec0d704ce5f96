import { afterAll, describe, expect, test } from 'vitest'
import { signUpAndSignIn } from '#api-client/member-client.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation, unsendMessageOperation } from '#contract/chat/messages.ts'
import { createCommentOperation, deleteCommentOperation } from '#contract/comments/comments.ts'
import { answerVouchRequestOperation } from '#contract/community/applications.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { declineGroupOperation, leaveGroupOperation } from '#contract/groups/group-members.ts'
import { requestToJoinOperation, withdrawJoinRequestOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation, deleteGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { claimCaseOperation } from '#contract/moderation/cases.ts'
import { type SummaryKind, summaryKinds } from '#contract/notifications/notification-delivery.ts'
import { updateNotificationPreferencesOperation } from '#contract/notifications/notification-preferences.ts'
import {
  countNotificationsOperation,
  markNotificationsSeenOperation,
  type NotificationKind,
  optionalNotificationKinds,
} from '#contract/notifications/notifications.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  approveFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import { muteMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  likePostOperation,
} from '#contract/posts/posts.ts'
import { readConfig } from '#server/config.ts'
import { recordEndOfTwoFactor } from '#server/features/account/end-two-factor.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { removeModerator } from '#server/features/moderation/moderators.ts'
import { composeNotificationPush } from '#server/features/notifications/push/compose-push.ts'
import { renderSummaryEmail } from '#server/features/notifications/push/summary-email.ts'
import { insertWaitingApplication } from '#tests/support/applications.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { tagMember } from '#tests/support/publish-and-tag-photos.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { readNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

const w: TestWorld = await createTestWorld({ LIMITS: 'off' })
const config = readConfig({ DATA_DIR: w.dataDir, PUBLIC_URL: 'http://localhost:3000' })
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

/** Ana receives a notification of bea's action. Cora is not involved. */
type People = { ana: MemberClient; bea: MemberClient; cora: MemberClient }
type Scene = {
  actor?: MemberClient
  /** Removes ana's access to the subject. */
  leave?: () => Promise<unknown>
  /** Undoes what caused the notification. */
  remove?: () => Promise<unknown>
}

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const keyOf = async ({ id }: MemberClient) =>
  Number((await query('select id from users where public_id = $1', [id]))[0].id)
const usernameOf = ({ email }: MemberClient) => email.split('@')[0] as string
const leaveGroup = (who: MemberClient, groupId: string) => () => who.call(leaveGroupOperation, { groupId })
const removePost = (who: MemberClient, postId: string) => () => who.call(deletePostOperation, { postId })
const removeComment = (who: MemberClient, commentId: string) => () =>
  who.call(deleteCommentOperation, { commentId })
const say = async (who: MemberClient, postId: string, parentId?: string) =>
  (await who.call(createCommentOperation, { postId, content: 'Hola', ...(parentId && { parentId }) })).$id
const groupOf = ({ ana, bea, cora }: People) => createGroupWithMembers(cora, ana, bea)
const answerRequest = async (who: MemberClient) => {
  const { documents } = await who.call(listFollowRequestsOperation, {})
  await who.call(approveFollowRequestOperation, { requestId: documents[0]?.$id ?? '' })
}

const scenes: Record<NotificationKind, (people: People) => Promise<Scene>> = {
  like: async (people) => {
    const { ana, bea } = people
    const groupId = await groupOf(people)
    const postId = await createPostInGroup(w.database, ana, groupId)
    await bea.call(likePostOperation, { postId })
    return { actor: bea, leave: leaveGroup(ana, groupId), remove: removePost(ana, postId) }
  },
  comment: async ({ ana, bea }) => {
    const postId = await createPostInGroup(w.database, ana, null)
    return { actor: bea, remove: removeComment(bea, await say(bea, postId)) }
  },
  reply: async (people) => {
    const { ana, bea, cora } = people
    const groupId = await groupOf(people)
    const postId = await createPostInGroup(w.database, cora, groupId)
    const reply = await say(bea, postId, await say(ana, postId))
    return { actor: bea, leave: leaveGroup(ana, groupId), remove: removeComment(bea, reply) }
  },
  follow: async ({ ana, bea }) => {
    await bea.call(followOperation, { personId: ana.id })
    return { actor: bea, remove: () => bea.call(unfollowOperation, { personId: ana.id }) }
  },
  'follow-request': async ({ ana, bea }) => {
    await ana.call(updatePrivacySettingsOperation, { isPrivate: true })
    await bea.call(followOperation, { personId: ana.id })
    return { actor: bea, remove: () => answerRequest(ana) }
  },
  'follow-accepted': async ({ ana, bea }) => {
    await bea.call(updatePrivacySettingsOperation, { isPrivate: true })
    await ana.call(followOperation, { personId: bea.id })
    await answerRequest(bea)
    return { actor: bea, remove: () => ana.call(unfollowOperation, { personId: bea.id }) }
  },
  'join-request': async ({ ana, bea }) => {
    const { $id: groupId } = await ana.call(createGroupOperation, { name: 'Cerámica' })
    const { $id: requestId } = await bea.call(requestToJoinOperation, { groupId })
    return { actor: bea, remove: () => bea.call(withdrawJoinRequestOperation, { requestId }) }
  },
  'join-approved': async ({ ana, bea }) => {
    const { $id: groupId, name } = await bea.call(createGroupOperation, { name: `Tejer ${usernameOf(ana)}` })
    await admitMemberToGroup(bea, ana, groupId)
    return {
      leave: leaveGroup(ana, groupId),
      remove: () => bea.call(deleteGroupOperation, { groupId, name }),
    }
  },
  'group-handover': async ({ ana, bea, cora }) => {
    const groupId = await createGroupWithMembers(bea, ana, cora)
    await bea.request('PATCH', '/v1/account/status')
    const { name } = await ana.call(getGroupOperation, { groupId })
    return {
      leave: () => ana.call(declineGroupOperation, { groupId }),
      remove: () => ana.call(deleteGroupOperation, { groupId, name }),
    }
  },
  'group-post': async (people) => {
    const groupId = await groupOf(people)
    const postId = await createPostInGroup(w.database, people.bea, groupId)
    return {
      actor: people.bea,
      leave: leaveGroup(people.ana, groupId),
      remove: removePost(people.bea, postId),
    }
  },
  mention: async (people) => {
    const { ana, bea } = people
    const groupId = await groupOf(people)
    const { $id: postId } = await bea.call(createPostOperation, {
      caption: `Con @${usernameOf(ana)}`,
      location: 'Casa',
      tags: [],
      imageId: await insertUploadedImageRow(w.database, bea),
      groupId,
    })
    return { actor: bea, leave: leaveGroup(ana, groupId), remove: removePost(bea, postId) }
  },
  'message-request': async ({ ana, bea }) => {
    await ana.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
    const { $id: conversationId } = await bea.call(openConversationOperation, { personId: ana.id })
    const { $id: messageId } = await bea.call(sendMessageOperation, { conversationId, content: 'Hola' })
    return { actor: bea, remove: () => bea.call(unsendMessageOperation, { messageId }) }
  },
  'photo-tag': async ({ ana, bea }) => {
    const postId = await createPostInGroup(w.database, bea, null)
    await tagMember(bea, ana, await bea.call(getPostOperation, { postId }))
    return { actor: bea, remove: removePost(bea, postId) }
  },
  'guest-joined': async ({ ana }) => {
    const { code } = await ana.call(createInvitationOperation, {})
    const username = `invitada${usernameOf(ana)}`
    const actor = await signUpAndSignIn(w.app, {
      name: 'Invitada',
      username,
      email: `${username}@juntas.test`,
      password: testPassword,
      invite: code ?? '',
    })
    return { actor }
  },
  report: async ({ ana, bea, cora }) => {
    await query('delete from moderation_cases')
    for (const who of [ana, cora]) await appointModeratorOnDuty(w.database, who)
    const id = await createPostInGroup(w.database, await w.join('Iria'), null)
    const { caseId } = await reportSubject(w.database, bea, { kind: 'post', id })
    return {
      leave: () => removeModerator(w.database.kysely, usernameOf(ana), 'operator'),
      remove: () => cora.call(claimCaseOperation, { caseId }),
    }
  },
  'report-decided': async ({ ana, bea, cora }) => {
    await appointModeratorOnDuty(w.database, cora)
    const id = await createPostInGroup(w.database, bea, null)
    const { caseId, reportId } = await reportSubject(w.database, ana, { kind: 'post', id })
    await claimAndDecide(cora, caseId, { decision: 'hide', text: 'No va aquí.' })
    return { remove: () => query('delete from reports where public_id = $1', [reportId]) }
  },
  application: async ({ ana }) => {
    await query('delete from applications')
    await promoteToOperator(w.database.kysely, usernameOf(ana))
    await insertWaitingApplication(w.database, {})
    return {
      leave: () => query(`update accounts set labels = '{}' where public_id = $1`, [ana.accountId]),
      remove: () => query(`delete from applications`),
    }
  },
  'vouch-request': async ({ ana }) => {
    const publicId = await insertWaitingApplication(w.database, { voucher: usernameOf(ana) })
    return {
      remove: () => ana.call(answerVouchRequestOperation, { applicationId: publicId, vouched: true }),
    }
  },
  'new-device': async ({ ana }) => {
    await query(
      `insert into sessions (public_id, account_id, secret_hash, provider, user_agent, from_known_browser, expires_at)
       select 'other' || u.public_id, account_id, sha256(u.public_id::text::bytea), 'email', 'Otro', false,
         clock_timestamp() + interval '1 day' from users u where public_id = $1`,
      [ana.id],
    )
    return {}
  },
  'two-steps-off': async ({ ana }) => {
    await w.database.kysely.transaction().execute(async (db) => {
      const account = await db
        .selectFrom('users')
        .select('account_id')
        .where('public_id', '=', ana.id)
        .executeTakeFirstOrThrow()
      await recordEndOfTwoFactor(db, null, account.account_id)
    })
    return {}
  },
  'export-ready': async ({ ana }) => {
    const key = await keyOf(ana)
    const [{ id }] = await query(
      `insert into exports (public_id, account_id, storage_key, state, bytes, directory_at, directory_bytes, ready_at, dies_at)
       select 'export' || u.public_id, account_id, lower(rpad(u.public_id, 32, 'x')), 'ready', 1, 0, 1, clock_timestamp(),
         clock_timestamp() + interval '1 day' from users u where id = $1 returning id`,
      [key],
    )
    await query(
      `insert into notification_marks (user_id, last_seq) values ($1, 1) on conflict (user_id) do update
         set last_seq = notification_marks.last_seq + 1`,
      [key],
    )
    await query(
      `insert into notifications (public_id, user_id, kind, subject, since, last_at, seq)
       values ('export' || $1::bigint, $1, 'export-ready', 'export:' || $2::bigint, clock_timestamp(), clock_timestamp(), 1)`,
      [key, id],
    )
    return { remove: () => query('delete from exports where id = $1', [id]) }
  },
}

const withActor = (kind: NotificationKind) =>
  ![
    'join-approved',
    'group-handover',
    'report',
    'report-decided',
    'application',
    'vouch-request',
    'new-device',
    'two-steps-off',
    'export-ready',
  ].includes(kind)
type State = {
  to: (kind: NotificationKind) => boolean
  happen: (scene: Scene, people: People, kind: NotificationKind) => Promise<unknown> | undefined
}
const states: Record<string, State> = {
  'ana blocked the other member': {
    to: withActor,
    happen: ({ actor }, { ana }) => actor && ana.call(blockMemberOperation, { personId: actor.id }),
  },
  'the other member blocked ana': {
    to: withActor,
    happen: ({ actor }, { ana }) => actor?.call(blockMemberOperation, { personId: ana.id }),
  },
  'ana muted the other member': {
    to: withActor,
    happen: ({ actor }, { ana }) => actor && ana.call(muteMemberOperation, { personId: actor.id }),
  },
  'the other member closed her account': {
    to: withActor,
    happen: ({ actor }) => actor?.request('PATCH', '/v1/account/status'),
  },
  'ana left the group or her role': {
    to: (kind) =>
      [
        ...['like', 'reply', 'join-approved', 'group-handover', 'group-post', 'mention', 'report'],
        'application',
      ].includes(kind),
    happen: ({ leave }) => leave?.(),
  },
  'the subject was deleted': {
    to: (kind) => !['guest-joined', 'new-device', 'two-steps-off'].includes(kind),
    happen: ({ remove }) => remove?.(),
  },
  'ana switched the kind off': {
    to: (kind) => (optionalNotificationKinds as readonly NotificationKind[]).includes(kind),
    happen: (_scene, { ana }, kind) =>
      ana.call(updateNotificationPreferencesOperation, {
        kinds: optionalNotificationKinds.filter((each) => each === kind),
        enabled: false,
      }),
  },
}

const join = async (): Promise<People> => {
  const [ana, bea, cora] = await Promise.all([w.join('Ana'), w.join('Bea'), w.join('Cora')])
  return { ana, bea, cora }
}
const rowOf = async (who: MemberClient, kind: NotificationKind) =>
  (await readNotifications(w.database, who)).find((row) => row.kind === kind)
const pushOf = async (who: MemberClient, kind: NotificationKind) =>
  composeNotificationPush(w.database.kysely, config, await keyOf(who), {
    kinds: [kind],
    after: 0,
    hidesContents: false,
  })
const isEmailed = (kind: NotificationKind): kind is SummaryKind =>
  (summaryKinds as readonly NotificationKind[]).includes(kind)

describe.each(Object.keys(scenes) as NotificationKind[])('a notification of %s', (kind) => {
  test('NOT-18 a notification is listed, counted, pushed and emailed until ana has seen it, and then only listed', async () => {
    const people = await join()
    const { actor } = await scenes[kind](people)
    const row = await rowOf(people.ana, kind)
    expect(row).toMatchObject({ kind, unread: true, people: actor ? [{ $id: actor.id }] : [] })
    expect((await people.ana.call(countNotificationsOperation, {})).unseen).toBeGreaterThan(0)
    expect((await pushOf(people.ana, kind))?.message).toMatchObject({
      kind,
      ...(actor && { name: actor.name }),
    })
    if (row && isEmailed(kind)) {
      const { text } = renderSummaryEmail([row], { notifications: 'n', unsubscribe: 'u', oneClick: 'o' })
      expect(text).toContain(actor?.name ?? '- ')
      expect(text).not.toContain(`- ${kind}`)
    }
    await people.ana.call(markNotificationsSeenOperation, { upTo: Number.MAX_SAFE_INTEGER })
    expect(await rowOf(people.ana, kind)).toMatchObject({ unread: true })
    expect(await people.ana.call(countNotificationsOperation, {})).toMatchObject({ unseen: 0 })
    expect(await pushOf(people.ana, kind)).toBeNull()
  })

  test.each(Object.entries(states).filter(([, { to }]) => to(kind)))(
    'NOT-18 a notification is neither listed, counted nor pushed once %s',
    async (_name, { happen }) => {
      const people = await join()
      const scene = await scenes[kind](people)
      expect(await rowOf(people.ana, kind)).toBeDefined()
      await happen(scene, people, kind)
      expect(await rowOf(people.ana, kind)).toBeUndefined()
      const rows = await readNotifications(w.database, people.ana)
      expect((await people.ana.call(countNotificationsOperation, {})).unread).toBe(
        rows.filter(({ unread }) => unread).length,
      )
      expect(await pushOf(people.ana, kind)).toBeNull()
    },
  )
})
