/** Tests rules that no API reaches alone, because each API finds the post or conversation first. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { reactOperation } from '#contract/chat/reactions.ts'
import { createCommentOperation, likeCommentOperation } from '#contract/comments/comments.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { tagPersonOperation } from '#contract/photo-tags/photo-tags.ts'
import {
  getPostOperation,
  likePostOperation,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  type AccessRuleAction,
  accessRules,
  memberKeyParameter,
  type PolicyTable,
  whereAccessRuleAllows,
} from './index.ts'

let w: TestWorld
/** Mia posted in a group with gala but not eva, and has a conversation with gala. */
let mia: MemberClient
let gala: MemberClient
let eva: MemberClient
let post: number
let conversation: number
beforeAll(async () => {
  w = await createTestWorld()
  ;[mia, gala, eva] = [await w.join('Mia'), await w.join('Gala'), await w.join('Eva')]
  post = await keyOf(
    'posts',
    await createPostInGroup(w.database, mia, await createGroupWithMembers(gala, mia)),
  )
  conversation = await keyOf(
    'conversations',
    (await mia.call(openConversationOperation, { personId: gala.id })).$id,
  )
})
afterAll(() => w.end())

async function keyOf(table: PolicyTable, publicId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where public_id = ${publicId}`.execute(w.database.kysely)
  return rows[0]?.id ?? 0
}

/** @param own the column that names the member */
async function lets(
  who: MemberClient,
  action: AccessRuleAction,
  table: PolicyTable,
  own: string,
  row: Record<string, number>,
) {
  const me = await keyOf('users', who.id)
  const { rows } = await sql<{ allowed: boolean }>`
    select ${whereAccessRuleAllows(memberKeyParameter(me), action, table, 't')} as allowed
    from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify({ [own]: me, ...row })}::jsonb) as t`.execute(
    w.database.kysely,
  )
  return rows[0]?.allowed
}

test.each(['saves', 'post_likes'] as const)(
  'SV3 PG6 a member creates %s only for readable posts, and only her own',
  async (table) => {
    for (const who of [mia, gala])
      expect(await lets(who, 'create', table, 'user_id', { post_id: post })).toBe(true)
    expect(await lets(eva, 'create', table, 'user_id', { post_id: post })).toBe(false)
    const ofMia = { post_id: post, user_id: await keyOf('users', mia.id) }
    expect(await lets(gala, 'create', table, 'user_id', ofMia)).toBe(false)
    expect(await lets(gala, 'delete', table, 'user_id', ofMia)).toBe(false)
  },
)

test('PG6 a member cannot remove a like from a post that she cannot read', async () => {
  expect(await lets(gala, 'delete', 'post_likes', 'user_id', { post_id: post })).toBe(true)
  expect(await lets(eva, 'delete', 'post_likes', 'user_id', { post_id: post })).toBe(false)
})

test('MS3 only a participant writes a message, and only in her own name', async () => {
  const ofMia = { conversation_id: conversation, sender_id: await keyOf('users', mia.id) }
  for (const who of [mia, gala]) {
    expect(await lets(who, 'create', 'messages', 'sender_id', { conversation_id: conversation })).toBe(true)
  }
  expect(await lets(eva, 'create', 'messages', 'sender_id', { conversation_id: conversation })).toBe(false)
  expect(await lets(gala, 'create', 'messages', 'sender_id', ofMia)).toBe(false)
})

test('FI9 FI10 only the uploader can create, change or delete a file', async () => {
  for (const action of ['create', 'update', 'updated', 'delete'] as const) {
    expect(await lets(mia, action, 'files', 'owner_id', {})).toBe(true)
    expect(await lets(gala, action, 'files', 'owner_id', { owner_id: await keyOf('users', mia.id) })).toBe(
      false,
    )
  }
})

test('A25 without a member, no rule allows a write, or a read of content that is not public', async () => {
  const postId = await createPostInGroup(w.database, gala, await createGroupWithMembers(gala, mia))
  for (const operation of [likePostOperation, savePostOperation]) await mia.call(operation, { postId })
  const comment = await mia.call(createCommentOperation, { postId, content: 'Qué bonito' })
  await mia.call(likeCommentOperation, { commentId: comment.$id })
  await mia.call(followOperation, { personId: gala.id })
  const { $id: conversationId } = await mia.call(openConversationOperation, { personId: gala.id })
  const { $id: messageId } = await mia.call(sendMessageOperation, { conversationId, content: 'hola' })
  await gala.call(reactOperation, { messageId, emoji: '❤️' })
  await gala.call(updatePostOperation, { postId, caption: 'Otra tarde' })
  const { imageId } = await gala.call(getPostOperation, { postId })
  await gala.call(tagPersonOperation, { postId, imageId, personId: mia.id, x: 0.5, y: 0.5 })
  await mia.call(blockMemberOperation, { personId: (await w.join('Uma')).id })
  const vera = await w.join('Vera')
  await vera.call(updatePrivacySettingsOperation, { isPrivate: true })
  await mia.call(followOperation, { personId: vera.id })
  const { caseId } = await reportSubject(w.database, mia, { kind: 'member', id: gala.id }, 'spam')
  const moderator = await w.join('Mo')
  await appointModeratorOnDuty(w.database, moderator)
  await claimAndDecide(moderator, caseId, { decision: 'warn', text: 'Nadie ha pedido eso' })
  const forAll: PolicyTable[] = ['users', 'follows', 'groups']
  for (const table of Object.keys(accessRules) as PolicyTable[]) {
    for (const action of Object.keys(accessRules[table]) as AccessRuleAction[]) {
      const { rows } = await sql<{ there: boolean; allowed: boolean }>`
        select count(*) > 0 as there, coalesce(bool_or(${whereAccessRuleAllows(sql<number>`null::bigint`, action, table, 't')}), false) as allowed
        from ${sql.table(table)} as t`.execute(w.database.kysely)
      const allowed = action === 'read' && forAll.includes(table)
      expect([table, action, rows[0]]).toEqual([table, action, { there: true, allowed }])
    }
  }
})

test('a rule that cannot be decided refuses the action', async () => {
  const nobody = { post_id: null as unknown as number, user_id: null as unknown as number }
  expect(await lets(mia, 'create', 'saves', 'user_id', nobody)).toBe(false)
})
