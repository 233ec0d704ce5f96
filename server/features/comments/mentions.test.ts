import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import {
  createCommentOperation,
  deleteCommentOperation,
  listCommentsOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import { listMentionablePeopleOperation } from '#contract/comments/mentions.ts'
import { leaveGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { listNotificationsOperation } from '#contract/notifications/notifications.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { deletePostOperation, getPostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
const join = async (name: string): Promise<MemberClient> => {
  const member = await w.join(name)
  usernames.set(member.id, (await member.call(getCurrentMemberOperation, {})).username)
  return member
}
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea, carla] = [await join('Ana'), await join('Bea'), await join('Carla')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const usernames = new Map<string, string>()
const at = (who: MemberClient) => `@${usernames.get(who.id)}`
const postOf = (author: MemberClient, groupId: string | null = null) =>
  createPostInGroup(w.database, author, groupId)
const say = (who: MemberClient, postId: string, content: string) =>
  who.call(createCommentOperation, { postId, content })
const caption = (who: MemberClient, postId: string, caption: string) =>
  who.call(updatePostOperation, { postId, caption })
const mentionedIn = (mentions: readonly { $id: string }[] | undefined) =>
  (mentions ?? []).map(({ $id }) => $id)
const close = async (who: MemberClient) =>
  expect((await who.request('PATCH', '/v1/account/status', {})).status).toBe(200)
const stored = async (postId: string): Promise<string[]> => {
  const { rows } = await w.database.pool.query<{ username: string }>(
    `select u.username from mentions m join users u on u.id = m.user_id
      where m.post_id = (select id from posts where public_id = $1) order by m.comment_id nulls first, u.id`,
    [postId],
  )
  return rows.map(({ username }) => username)
}
const mentionsNotifiedTo = async (who: MemberClient): Promise<(string | undefined)[]> => {
  await settleNotifications(w.database)
  const { documents } = await who.call(listNotificationsOperation, {})
  return documents.filter(({ kind }) => kind === 'mention').map(({ post }) => post?.$id)
}
const suggested = async (who: MemberClient, input: { term: string; postId?: string; groupId?: string }) =>
  (await who.call(listMentionablePeopleOperation, input)).documents.map(({ name }) => name)

describe('resolving mentions', () => {
  test('MEN-04 MEN-05 names in a comment or caption mention members who can see the post; other names stay text', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const postId = await postOf(ana, group)
    const text = `${at(bea)} ${at(carla)} @nadie ${at(ana)}`
    const made = await say(ana, postId, text)
    expect(made.mentions).toEqual([{ $id: bea.id, username: usernames.get(bea.id) }])
    expect(mentionedIn((await caption(ana, postId, `Con ${at(bea)}, ${at(carla)}.`)).mentions)).toEqual([
      bea.id,
    ])
    const [shown] = (await bea.call(listCommentsOperation, { postId })).documents
    expect([shown?.content, mentionedIn(shown?.mentions)]).toEqual([text, [bea.id]])
    expect(mentionedIn((await bea.call(getPostOperation, { postId })).mentions)).toEqual([bea.id])
    expect(await stored(postId)).toEqual([usernames.get(bea.id), usernames.get(bea.id)])
    const named = await postOf(ana)
    expect((await say(bea, named, 'Sin nombres')).mentions).toBeUndefined()
  })

  test('MEN-05 editing or removing a comment, its replies or the post removes its mentions, through both APIs', async () => {
    const postId = await postOf(ana)
    const { $id: commentId } = await say(bea, postId, `Hola ${at(carla)}`)
    await bea.call(updateCommentOperation, { commentId, content: `Hola ${at(ana)}` })
    expect(await stored(postId)).toEqual([usernames.get(ana.id)])
    await carla.call(createCommentOperation, { postId, content: `${at(bea)} sí`, parentId: commentId })
    await bea.call(deleteCommentOperation, { commentId })
    expect(await stored(postId)).toEqual([usernames.get(bea.id)])
    await ana.call(deleteCommentOperation, { commentId })
    expect(await stored(postId)).toEqual([])

    const documents = createAppwriteDocumentsClient(carla, 'comments')
    const made = await documents.made({ postId, content: `Por otra puerta, ${at(bea)}` })
    expect(await stored(postId)).toEqual([usernames.get(bea.id)])
    await documents.patch(made.$id, { content: 'Sin nadie' })
    expect(await stored(postId)).toEqual([])
    await caption(ana, postId, `De ${at(bea)} y ${at(carla)}`)
    expect(await stored(postId)).toEqual([usernames.get(bea.id), usernames.get(carla.id)])
    await caption(ana, postId, `De ${at(carla)}`)
    expect(await stored(postId)).toEqual([usernames.get(carla.id)])
    await ana.call(deletePostOperation, { postId })
    expect(await stored(postId)).toEqual([])
  })

  test('MEN-05 a post moved into a group no longer mentions people outside it', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const postId = await postOf(ana)
    await caption(ana, postId, `${at(bea)} ${at(carla)}`)
    expect(await mentionsNotifiedTo(carla)).toContain(postId)
    await ana.call(updatePostOperation, { postId, groupId: group })
    expect(await stored(postId)).toEqual([usernames.get(bea.id)])
    expect(await mentionsNotifiedTo(carla)).not.toContain(postId)
  })

  test('MEN-05 blocked, deleted and excluded members can neither mention nor be mentioned', async () => {
    const [dora, iria, gone] = [await join('Dora'), await join('Iria'), await join('Gala')]
    const [open, mine] = [await postOf(ana), await postOf(carla)]
    await dora.call(blockMemberOperation, { personId: iria.id })
    await close(gone)
    for (const [writer, named] of [
      [iria, dora],
      [dora, iria],
      [iria, gone],
    ] as const) {
      const made = await say(writer, open, `Te busco, ${at(named)}`)
      expect(made.mentions).toBeUndefined()
      const alike = await say(writer, open, 'Te busco, @nadie')
      // The writer cannot tell whether a name is blocked or unknown.
      expect(Object.keys(made)).toEqual(Object.keys(alike))
    }
    expect(await stored(open)).toEqual([])
    expect([await mentionsNotifiedTo(dora), await mentionsNotifiedTo(iria)]).toEqual([[], []])

    await carla.call(updatePrivacySettingsOperation, { isPrivate: true, earlierPosts: 'followers' })
    await caption(carla, mine, `Para ${at(iria)}`)
    expect(await stored(mine)).toEqual([])
    expect(await mentionsNotifiedTo(iria)).toEqual([])
    await carla.call(updatePrivacySettingsOperation, { isPrivate: false, earlierPosts: 'followers' })
  })

  test('MEN-04 MEN-06 readers blocked from a mentioned member see her name as plain text', async () => {
    const [dora, iria] = [await join('Dora'), await join('Iria')]
    const postId = await postOf(ana)
    const { $id } = await say(bea, postId, `${at(dora)} ven`)
    const seenBy = async (who: MemberClient) =>
      mentionedIn(
        (await who.call(listCommentsOperation, { postId })).documents.find((one) => one.$id === $id)
          ?.mentions,
      )
    expect(await seenBy(iria)).toEqual([dora.id])
    await dora.call(blockMemberOperation, { personId: iria.id })
    expect([await seenBy(iria), await seenBy(ana)]).toEqual([[], [dora.id]])
    await dora.call(blockMemberOperation, { personId: ana.id })
    expect(await mentionsNotifiedTo(dora)).toEqual([])
    await close(dora)
    expect(await seenBy(bea)).toEqual([])
  })

  test('MEN-06 a former group member sees no mentioned members in comments under her own post', async () => {
    const group = await createGroupWithMembers(bea, ana, carla)
    const postId = await postOf(ana, group)
    const { $id } = await say(bea, postId, `${at(carla)} ven`)
    const seenByAna = async () =>
      mentionedIn(
        (await ana.call(listCommentsOperation, { postId })).documents.find((one) => one.$id === $id)
          ?.mentions,
      )
    expect(await seenByAna()).toEqual([carla.id])
    await ana.call(leaveGroupOperation, { groupId: group })
    expect(await seenByAna()).toEqual([])
  })

  test('MEN-06 a member who can no longer see the post loses the notification of her mention', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const postId = await postOf(ana, group)
    await say(ana, postId, `¿Vienes, ${at(bea)}?`)
    await say(ana, postId, `¿Y tú, ${at(bea)}?`)
    expect((await mentionsNotifiedTo(bea)).filter((id) => id === postId)).toHaveLength(2)
    const { documents } = await bea.call(listNotificationsOperation, {})
    expect(documents.find(({ kind }) => kind === 'mention')).toMatchObject({
      people: [{ name: 'Ana' }],
      group: { $id: group },
      post: { $id: postId },
    })
    await ana.call(removeGroupMemberOperation, { groupId: group, memberId: bea.id })
    expect(await mentionsNotifiedTo(bea)).not.toContain(postId)
  })

  test('MEN-05 deleting a comment removes its mention notification, and a mention added by an edit notifies once', async () => {
    const postId = await postOf(ana)
    const made = await say(bea, postId, `Para ${at(carla)}`)
    expect(await mentionsNotifiedTo(carla)).toContain(postId)
    await bea.call(updateCommentOperation, { commentId: made.$id, content: `Para ${at(carla)} y ${at(ana)}` })
    expect(await mentionsNotifiedTo(ana)).toContain(postId)
    expect((await mentionsNotifiedTo(carla)).filter((id) => id === postId)).toHaveLength(1)
    await bea.call(deleteCommentOperation, { commentId: made.$id })
    expect([...(await mentionsNotifiedTo(carla)), ...(await mentionsNotifiedTo(ana))]).not.toContain(postId)
  })
})

describe('mentions of unlisted members', () => {
  /** Ways in which bea comes to know maria or in which maria appears under bea's post. */
  type Knowing = (bea: MemberClient, maria: MemberClient, postId: string) => Promise<unknown>
  const ways: Record<string, Knowing> = {
    'bea follows her': (bea, maria) => bea.call(followOperation, { personId: maria.id }),
    'she follows bea': (bea, maria) => maria.call(followOperation, { personId: bea.id }),
    'they are in a group together': (bea, maria) => createGroupWithMembers(bea, maria),
    'they have written to each other': async (bea, maria) => {
      const { $id: conversationId } = await bea.call(openConversationOperation, { personId: maria.id })
      await bea.call(sendMessageOperation, { conversationId, content: 'Hola' })
    },
    'she has written under the post': (_, maria, postId) => say(maria, postId, 'Aquí estoy'),
  }
  const joinTwo = async () => {
    const [bea, maria] = [await join('Bea'), await join('Maria')]
    await maria.call(updatePrivacySettingsOperation, { isListed: false })
    return [bea, maria] as const
  }

  test('MEN-04 MEN-05 a member who cannot find an unlisted member cannot mention her: the name stays text, without an id', async () => {
    const [bea, maria] = await joinTwo()
    const postId = await postOf(bea)
    const documents = createAppwriteDocumentsClient(bea, 'comments')
    const answers = [
      await say(bea, postId, `Te encontré, ${at(maria)}`),
      await caption(bea, postId, `Con ${at(maria)}`),
      await documents.made({ postId, content: `Por otra puerta, ${at(maria)}` }),
      await bea.call(listCommentsOperation, { postId }),
    ]
    expect(JSON.stringify(answers)).not.toContain(maria.id)
    expect(await stored(postId)).toEqual([])
    expect(await mentionsNotifiedTo(maria)).toEqual([])
    const alike = await say(bea, postId, 'Te encontré, @nadie')
    expect(Object.keys(answers[0] ?? {})).toEqual(Object.keys(alike))
    expect(await suggested(bea, { term: usernames.get(maria.id) as string, postId })).toEqual([])
    await maria.call(updatePrivacySettingsOperation, { isListed: true })
    expect(mentionedIn((await say(bea, postId, at(maria))).mentions)).toEqual([maria.id])
  })

  test.each(Object.entries(ways))('MEN-04 an unlisted member can be mentioned where %s', async (_, know) => {
    const [bea, maria] = await joinTwo()
    const postId = await postOf(bea)
    expect((await say(bea, postId, at(maria))).mentions).toBeUndefined()
    await know(bea, maria, postId)
    expect(mentionedIn((await say(bea, postId, at(maria))).mentions)).toEqual([maria.id])
    expect(mentionedIn((await caption(bea, postId, at(maria))).mentions)).toEqual([maria.id])
  })

  test('MEN-04 anybody can mention an unlisted member under her own post', async () => {
    const [bea, maria] = await joinTwo()
    expect(mentionedIn((await say(bea, await postOf(maria), at(maria))).mentions)).toEqual([maria.id])
  })

  test("MEN-02 a private account's post does not suggest an unlisted member to followers who do not know her", async () => {
    const [bea, maria] = await joinTwo()
    const dora = await join('Dora')
    const postId = await postOf(dora)
    for (const who of [bea, maria]) await who.call(followOperation, { personId: dora.id })
    await dora.call(updatePrivacySettingsOperation, { isPrivate: true, earlierPosts: 'followers' })
    const term = usernames.get(maria.id) as string
    expect(await suggested(bea, { term, postId })).toEqual([])
    expect(await suggested(dora, { term, postId })).toEqual(['Maria'])
  })
})

describe('a block between two other members', () => {
  /** Posts by dora under which she mentions iria. Lola sees both members. */
  type Place = (dora: MemberClient, iria: MemberClient, lola: MemberClient) => Promise<string>
  const places: Record<string, Place> = {
    'under a public post': (dora) => postOf(dora),
    'under a public post in whose thread she has written': async (dora, iria) => {
      const postId = await postOf(dora)
      await say(iria, postId, 'Aquí estoy')
      return postId
    },
    'under a public post, when lola follows her': async (dora, iria, lola) => {
      await lola.call(followOperation, { personId: iria.id })
      return postOf(dora)
    },
    'under a post of a group of all three': async (dora, iria, lola) =>
      postOf(dora, await createGroupWithMembers(ana, dora, iria, lola)),
    'under a post of a group that its author has left': async (dora, iria, lola) => {
      const groupId = await createGroupWithMembers(ana, dora, iria, lola)
      const postId = await postOf(dora, groupId)
      await dora.call(leaveGroupOperation, { groupId })
      return postId
    },
  }
  test.each(Object.entries(places))(
    'MEN-04 %s, neither a suggestion nor a former link reveals the block',
    async (_, place) => {
      for (const between of ['by its author', 'of its author'] as const) {
        const [dora, iria, lola] = [await join('Dora'), await join('Iria'), await join('Lola')]
        const postId = await place(dora, iria, lola)
        const term = usernames.get(iria.id) as string
        const { $id } = await say(lola, postId, `${at(iria)} ven`)
        const seen = async () => ({
          suggested: await suggested(lola, { term, postId }),
          linked: mentionedIn(
            (await lola.call(listCommentsOperation, { postId })).documents.find((one) => one.$id === $id)
              ?.mentions,
          ),
        })
        const before = await seen()
        expect(before).toEqual({ suggested: ['Iria'], linked: [iria.id] })
        if (between === 'by its author') await dora.call(blockMemberOperation, { personId: iria.id })
        else await iria.call(blockMemberOperation, { personId: dora.id })
        expect(await seen()).toEqual(before)
        // Dora and iria do not see each other, and iria does not see the post either.
        if (place !== places['under a post of a group that its author has left'])
          expect(await suggested(dora, { term, postId })).toEqual([])
        expect(await mentionsNotifiedTo(iria)).toEqual([])
        expect((await iria.ask(listCommentsOperation, { postId })).status).toBe(404)
      }
    },
  )

  test('MEN-04 a closed account is no longer suggested or linked', async () => {
    const [dora, iria, lola] = [await join('Dora'), await join('Iria'), await join('Lola')]
    const postId = await postOf(dora)
    await say(lola, postId, `${at(iria)} ven`)
    await close(iria)
    expect(await suggested(lola, { term: usernames.get(iria.id) as string, postId })).toEqual([])
    const { documents } = await lola.call(listCommentsOperation, { postId })
    expect(mentionedIn(documents[0]?.mentions)).toEqual([])
  })

  test('MEN-04 under a followers-only post, only followers are suggested, regardless of blocks', async () => {
    const [dora, iria, lola] = [await join('Dora'), await join('Iria'), await join('Lola')]
    const postId = await postOf(dora)
    for (const who of [iria, lola]) await who.call(followOperation, { personId: dora.id })
    await dora.call(updatePrivacySettingsOperation, { isPrivate: true, earlierPosts: 'followers' })
    const other = await join('Iria Otra')
    const term = usernames.get(other.id) as string
    expect(await suggested(lola, { term, postId })).toEqual([])
    await dora.call(blockMemberOperation, { personId: other.id })
    expect(await suggested(lola, { term, postId })).toEqual([])
  })
})

describe('suggestions', () => {
  test('at most eight people are suggested, by name or username, and never the caller', async () => {
    for (let number = 1; number <= 9; number += 1) await join(`Zulema ${number}`)
    const zoe = await join('Zoe')
    expect(await suggested(ana, { term: 'zule' })).toHaveLength(8)
    expect(await suggested(ana, { term: usernames.get(zoe.id) as string })).toEqual(['Zoe'])
    expect(await suggested(zoe, { term: 'zoe' })).toEqual([])
    expect(await suggested(ana, { term: '  ' })).toEqual([])
  })

  test("MEN-02 a group's post suggests only group members, and outsiders get no suggestions", async () => {
    const group = await createGroupWithMembers(ana, bea)
    const postId = await postOf(ana, group)
    expect(await suggested(ana, { term: 'ca', postId })).not.toContain('Carla')
    expect(await suggested(ana, { term: 'be', postId })).toContain('Bea')
    expect(await suggested(ana, { term: 'ca', groupId: group })).not.toContain('Carla')
    expect(await suggested(ana, { term: 'be', groupId: group })).toContain('Bea')
    for (const input of [{ postId }, { groupId: group }])
      expect(await carla.refusal(listMentionablePeopleOperation, { term: 'be', ...input })).toMatchObject({
        code: 404,
      })
    await ana.call(blockMemberOperation, { personId: bea.id })
    expect(await suggested(ana, { term: 'be', postId })).not.toContain('Bea')
  })

  test('MEN-03 a hidden comment by a blocker does not change whom a long thread suggests', async () => {
    const [eve, ivy] = [await join('Eve'), await join('Ivy')]
    const early = await join('Yolanda Zeta')
    await join('Yolanda Alfa')
    await ivy.call(blockMemberOperation, { personId: eve.id })
    const postId = await postOf(ana)
    await say(early, postId, 'Primera')
    // The suggestions consider the newest 200 comments.
    for (let n = 1; n < 200; n += 1) await say(eve, postId, `Comentario ${n}`)
    const before = await suggested(eve, { term: 'yolanda', postId })
    expect(before).toEqual(['Yolanda Zeta', 'Yolanda Alfa'])
    await say(ivy, postId, 'Oculto')
    expect(await suggested(eve, { term: 'yolanda', postId })).toEqual(before)
  })

  test('MEN-03 a public post suggests people in the thread first, then followed people, then others', async () => {
    const [x1, x2, x3, x4] = [
      await join('Ximena Otra'),
      await join('Ximena Seguida'),
      await join('Ximena Hilo'),
      await join('Ximena Autora'),
    ]
    const postId = await postOf(x4)
    await say(x3, postId, 'Aquí')
    const reader = await join('Lectora')
    await reader.call(followOperation, { personId: x2.id })
    expect(await suggested(reader, { term: 'ximena', postId })).toEqual([
      'Ximena Autora',
      'Ximena Hilo',
      'Ximena Seguida',
      'Ximena Otra',
    ])
    await x1.call(blockMemberOperation, { personId: reader.id })
    await close(x2)
    expect(await suggested(reader, { term: 'ximena', postId })).toEqual(['Ximena Autora', 'Ximena Hilo'])
  })
})
