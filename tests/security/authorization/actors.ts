/** Every column has an actor. Knit is the group, Ana is author and owner, and all pictures are real. */

import { createApiClient, type MemberClient } from '#api-client/member-client.ts'
import { sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { createCommentOperation } from '#contract/comments/comments.ts'
import { leaveGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { rejectJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { updateGroupOperation } from '#contract/groups/groups.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import { listModerationNoticesOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { listFollowRequestsOperation } from '#contract/people/follow-requests.ts'
import {
  listMutedMembersOperation,
  listRestrictedMembersOperation,
  muteMemberOperation,
  restrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { tagPersonOperation, withholdPhotoOperation } from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  likePostOperation,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import {
  type PermissionMatrixColumn,
  type PermissionMatrixRowId,
  type PermissionMatrixSubject,
  permissionMatrix,
} from '#scripts/docs/permission-matrix.ts'
import { createJpeg, createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import {
  appointModerator,
  appointModeratorOnDuty,
  claimAndDecide,
  reportSubject,
} from '#tests/support/report-and-moderate.ts'
import { readNotifications } from '#tests/support/settle-notifications.ts'
import type { TestWorld } from '#tests/support/world.ts'

export const secretGroupTextFixture = 'Secreto de Knit'
export const publicPostCaptionFixture = 'Plaza abierta'
/** Only Ana's post in the group has this place. */
export const groupPlaceFixture = 'Rincón de todas'
export const placeFixture = 'Aquí'
export const tagFixture = 'farola'
export const closedPostCaptionFixture = 'Solo seguidoras de Petra'

export type PermissionMatrixActors = Awaited<ReturnType<typeof createPermissionMatrixActors>>

/** @param site returns the address of a path on an external site */
export async function createPermissionMatrixActors(w: TestWorld, site: (path: string) => string) {
  const visitor: MemberClient = {
    id: '',
    accountId: '',
    name: 'Visitor',
    email: '',
    cookie: '',
    ...w.visitor,
  }
  const names = [
    'Ana',
    'Bea',
    'Eva',
    'Fio',
    'Ola',
    'Mia',
    'Xia',
    'Lia',
    'Rita',
    'Gala',
    'Boss',
    'Pia',
    'Kira',
    'Kora',
    'Petra',
    'Feli',
    'Quim',
    'Nora',
    'Nuria',
    'Nerea',
  ]
  const people = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name.toLowerCase(), await w.join(name)] as const)),
  ) as Record<string, MemberClient>
  const who = (name: string) => people[name] as MemberClient
  const [ana, bea, fio, ola, mia] = [who('ana'), who('bea'), who('fio'), who('ola'), who('mia')]
  const [xia, lia, rita, gala, boss] = [who('xia'), who('lia'), who('rita'), who('gala'), who('boss')]
  const [pia, kira, kora] = [who('pia'), who('kira'), who('kora')]
  const [petra, feli, quim, nora] = [who('petra'), who('feli'), who('quim'), who('nora')]
  const [nuria, nerea] = [who('nuria'), who('nerea')]
  const { position } = await ana.call(catchUpOperation, {})

  const knit = await createGroupWithMembers(gala, ana, mia, ola, xia, lia, kira, kora)
  const other = await createGroupWithMembers(boss)
  await gala.call(updateGroupOperation, {
    groupId: knit,
    imageId: await gala.upload(await createJpeg('#1133aa')),
  })
  const { imageId: groupImage } = await gala.call(updateGroupOperation, { groupId: knit, name: 'Knit' })
  const portrait = await ana.upload(await createJpeg('#aa3311'))
  await ana.call(updateProfileOperation, { personId: ana.id, imageId: portrait })

  const post = async (author: MemberClient, caption: string, groupId: string | null) => {
    const imageId = await author.upload(await createPng())
    return await author.call(createPostOperation, {
      caption,
      location: 'Aquí',
      tags: [tagFixture],
      imageId,
      groupId,
    })
  }
  const shown = await post(ana, publicPostCaptionFixture, null)
  const photos = await Promise.all([ana.upload(await createPng()), ana.upload(await createPng())])
  const kept = await ana.call(createPostOperation, {
    ...{ caption: secretGroupTextFixture, location: groupPlaceFixture, tags: [tagFixture], groupId: knit },
    photos: photos.map((imageId) => ({ imageId, alt: secretGroupTextFixture })),
  })
  const left = await post(ola, secretGroupTextFixture, knit)
  // Likes and saves of members who will lose access remain: the post may become readable again.
  for (const person of [ana, mia, xia, lia, gala, kira, kora]) {
    await person.call(likePostOperation, { postId: kept.$id })
    await person.call(savePostOperation, { postId: kept.$id })
  }
  await ola.call(likePostOperation, { postId: left.$id })
  await ola.call(savePostOperation, { postId: left.$id })

  const comment = (who: MemberClient, postId: string, parentId?: string) =>
    who.call(createCommentOperation, {
      ...{ postId, content: secretGroupTextFixture },
      ...(parentId !== undefined && { parentId }),
    })
  const comments = {
    kept: await comment(ana, kept.$id),
    left: await comment(ola, left.$id),
    shown: await comment(ana, shown.$id),
  }
  /** There is one comment for each way to remove it. A block will separate Kira and Kora from Ana. */
  const [ofKira, ofKora] = [await post(kira, 'De Kira', null), await post(kora, 'De Kora', null)]
  const apart = async (postId: string) => [await comment(ana, postId), await comment(ana, postId)]
  const commentsApart = { O: await apart(ofKira.$id), K: await apart(ofKira.$id), C: await apart(ofKora.$id) }
  const commentApart = await comment(ana, ofKira.$id)
  const followedAlone = await post(pia, 'Para quienes sigo', null)
  await pia.call(updatePostOperation, { postId: followedAlone.$id, commentsFrom: 'followed' })
  const closedToAll = await post(pia, 'Para mirar', null)
  await pia.call(updatePostOperation, { postId: closedToAll.$id, commentsFrom: 'nobody' })

  await bea.call(updatePrivacySettingsOperation, { picturedBy: 'everyone' })
  const nameBea = async () => {
    const ids = [await ana.upload(await createPng()), await ana.upload(await createPng())]
    const asked = await ana.call(createPostOperation, {
      ...{ caption: 'Con Bea', location: 'Aquí', tags: [], photos: ids.map((imageId) => ({ imageId })) },
    })
    const photoTag = { postId: asked.$id, imageId: asked.imageId, personId: bea.id, x: 0.5, y: 0.5 }
    return { post: asked, photoTagId: (await ana.call(tagPersonOperation, photoTag)).$id }
  }
  const named = await nameBea()
  const { post: hiddenPhoto } = await nameBea()
  await bea.call(withholdPhotoOperation, { postId: hiddenPhoto.$id, imageId: hiddenPhoto.imageId })

  await fio.call(followOperation, { personId: ana.id })
  const { $id: conversation } = await ana.call(openConversationOperation, { personId: bea.id })
  const onePhoto = async (color: string) => [{ imageId: await ana.upload(await createJpeg(color)) }]
  // Photos are permitted after the recipient's first reply.
  await bea.call(sendMessageOperation, { conversationId: conversation, content: 'Hola' })
  const message = await ana.call(sendMessageOperation, {
    conversationId: conversation,
    content: 'Solo para bea',
    photos: await onePhoto('#aa5511'),
  })
  const conversations = new Map([[bea, { conversation, message }]])
  for (const one of [kira, kora]) {
    const { $id } = await ana.call(openConversationOperation, { personId: one.id })
    await one.call(sendMessageOperation, { conversationId: $id, content: 'Hola' })
    const sent = await ana.call(sendMessageOperation, {
      conversationId: $id,
      content: 'Antes del bloqueo',
      photos: await onePhoto('#5511aa'),
    })
    conversations.set(one, { conversation: $id, message: sent })
  }

  await gala.call(removeGroupMemberOperation, { groupId: knit, memberId: xia.id })
  for (const gone of [lia, ola]) await gone.call(leaveGroupOperation, { groupId: knit })
  const ofRita = await rita.call(requestToJoinOperation, { groupId: knit })
  await gala.call(rejectJoinRequestOperation, { requestId: ofRita.$id })
  const request = await pia.call(requestToJoinOperation, { groupId: knit })

  await feli.call(followOperation, { personId: petra.id })
  await petra.call(updatePrivacySettingsOperation, { isPrivate: true })
  const closed = await post(petra, closedPostCaptionFixture, null)
  await quim.call(followOperation, { personId: petra.id })
  const waiting = await petra.call(listFollowRequestsOperation, {})

  await ana.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
  const { $id: messageRequest } = await nora.call(openConversationOperation, { personId: ana.id })
  await nora.call(sendMessageOperation, { conversationId: messageRequest, content: '¿Te acuerdas de mí?' })
  await nora.call(updatePrivacySettingsOperation, { messagesFrom: 'nobody' })

  // Every owner of a matrix row blocks Kira, and Kora blocks every owner.
  const { blockId: block } = await ana.call(blockMemberOperation, { personId: kira.id })
  await ana.call(muteMemberOperation, { personId: boss.id })
  const [mute] = (await ana.call(listMutedMembersOperation, {})).documents
  await ana.call(restrictMemberOperation, { personId: boss.id })
  const [restriction] = (await ana.call(listRestrictedMembersOperation, {})).documents
  for (const owner of [mia, pia, petra, nora]) await owner.call(blockMemberOperation, { personId: kira.id })
  for (const owner of [ana, mia, pia, petra, nora])
    await kora.call(blockMemberOperation, { personId: owner.id })

  await appointModeratorOnDuty(w.database, nuria)
  await appointModerator(w.database, nerea)
  const [notification] = await readNotifications(w.database, ana, 'requests')
  const report = await ana.call(createReportOperation, {
    subject: { kind: 'member', id: boss.id },
    reason: 'spam',
  })

  const { caseId: warningCase } = await reportSubject(w.database, boss, { kind: 'member', id: ana.id })
  await claimAndDecide(nuria, warningCase, { decision: 'warn', text: 'Un aviso para Ana' })
  const [warning] = (await ana.call(listModerationNoticesOperation, {})).documents

  const reportedInGroup = async () => {
    const { $id: id } = await post(mia, secretGroupTextFixture, knit)
    return (await reportSubject(w.database, ana, { kind: 'post', id }, 'spam')).caseId
  }
  const groupCases = {
    shown: await reportedInGroup(),
    dismissed: await reportedInGroup(),
    passedOn: await reportedInGroup(),
  }

  const hide = async (table: 'posts' | 'groups', id: string) => {
    const by = table === 'posts' ? `hidden_by = 'moderator', ` : ''
    await w.database.pool.query(`update ${table} set ${by}hidden_at = now() where public_id = $1`, [id])
    return id
  }
  const hiddenPost = await post(bea, 'Plaza escondida', null)
  await hide('posts', hiddenPost.$id)
  const hiddenGroup = await hide('groups', await createGroupWithMembers(gala, mia, kira, kora))

  // The place pages show only older posts.
  await w.database.pool.query(`update posts set created_at = created_at - interval '2 days'`)

  const unattached = await ana.upload(await createJpeg('#22aa44'))
  const large = padPngToSize(await createPng('#445566'), uploadChunkBytes + 100)
  const begun = await sendRawUpload(ana, sliceUploadChunk(large, 0))

  const spares = new Map(
    await Promise.all(
      Object.values(people).map(
        async (person) => [person.id, await insertUploadedImageRow(w.database, person)] as const,
      ),
    ),
  )

  const oneOf = async (person: MemberClient, collection: string, ...queries: string[]) =>
    (await createAppwriteDocumentsClient(person, collection).all(...queries))[0]?.$id ?? ''

  const anonymous = await w.visitor.request('POST', '/v1/account/sessions/anonymous', {})
  const cookie = (anonymous.headers['set-cookie'] ?? '').split(';')[0] ?? ''

  /** A row can override the actors of a column. */
  const columns: Record<PermissionMatrixColumn, MemberClient[]> = {
    V: [visitor, { ...visitor, name: 'Anonymous', cookie, ...createApiClient(w.app, cookie) }],
    S: [who('eva'), pia],
    F: [fio],
    O: [ana],
    L: [ola],
    P: [bea],
    M: [mia],
    X: [xia, lia, rita],
    A: [gala],
    B: [boss],
    K: [kira],
    C: [kora],
    Q: [quim],
    N: [nuria, nerea],
  }

  return {
    w,
    site,
    ...{ visitor, ana, bea, fio, ola, mia, gala, boss, pia, kira, kora, eva: who('eva') },
    ...{ nora, nuria, nerea, messageRequest, restriction: restriction?.$id ?? '' },
    ...{ petra, feli, quim, closed, followRequest: waiting.documents[0]?.$id ?? '' },
    columns,
    /** The change stream's position before anything happened. */
    position,
    ...{ knit, other, groupImage: groupImage ?? '', portrait },
    ...{
      shown,
      kept,
      left,
      conversation,
      message,
      request: request.$id,
      unattached,
      block,
      mute: mute?.$id ?? '',
    },
    notification: notification?.$id ?? '',
    report: report.$id,
    ...{
      comment,
      comments,
      commentApart,
      commentsApart,
      followedAlone: followedAlone.$id,
      closedToAll: closedToAll.$id,
    },
    ...{ nameBea, named, hiddenPhoto },
    ...{ hide, hiddenPost, hiddenGroup, warningCase, warning: warning?.$id ?? '', groupCases },
    unfinished: { id: begun.body.$id, bytes: large },
    save: await oneOf(ana, 'saves', buildAppwriteEqualQuery('user', ana)),
    follow: await oneOf(
      fio,
      'follows',
      buildAppwriteEqualQuery('followerId', fio),
      buildAppwriteEqualQuery('followingId', ana),
    ),
    followOfPetra: await oneOf(
      feli,
      'follows',
      buildAppwriteEqualQuery('followerId', feli),
      buildAppwriteEqualQuery('followingId', petra),
    ),
    membership: await oneOf(
      mia,
      'groupMembers',
      buildAppwriteEqualQuery('groupId', knit),
      buildAppwriteEqualQuery('userId', mia),
    ),
    admins: await oneOf(
      mia,
      'groupMembers',
      buildAppwriteEqualQuery('groupId', knit),
      buildAppwriteEqualQuery('userId', gala),
    ),

    /** Returns the conversation of Ana and Bea if the person has none with Ana. */
    conversationBetween: (person: MemberClient) => conversations.get(person) ?? { conversation, message },

    spareOf: ({ id }: MemberClient) => spares.get(id) ?? unattached,

    /** Works for authors who have left the group. */
    async postOf(author: MemberClient, groupId: string | null): Promise<string> {
      if (author !== ola || groupId === null) return await createPostInGroup(w.database, author, groupId)
      await admitMemberToGroup(gala, ola, groupId)
      const id = await createPostInGroup(w.database, ola, groupId)
      await ola.call(leaveGroupOperation, { groupId })
      return id
    },
  }
}

export function selectMatrixRowActors(
  cast: PermissionMatrixActors,
  row: PermissionMatrixRowId,
): PermissionMatrixActors['columns'] {
  const { ana, bea, boss, eva, feli, fio, mia, nora, petra, pia } = cast
  const ofPetra = { S: [eva], F: [feli], O: [petra], B: [boss] }
  const own: Partial<Record<PermissionMatrixSubject, Partial<PermissionMatrixActors['columns']>>> = {
    membership: { O: [mia], M: [ana] },
    'request to join': { S: [eva], O: [pia] },
    'public post whose author lets those she follows comment': { S: [eva], O: [pia] },
    'public post whose author lets nobody comment': { S: [eva], O: [pia] },
    // A block separates Pia from the post's author too.
    'comment under a public post whose author and commenter are blocked from each other': { S: [eva] },
    follow: { O: [fio, ana] },
    'post of a private account': ofPetra,
    'picture of a post of a private account': ofPetra,
    'follow of a private account': ofPetra,
    'follow request': ofPetra,
    'message request': { P: [nora] },
    'post hidden by a moderator': { O: [bea] },
    'member who accepts no messages from new people': { O: [nora], P: [ana] },
  }
  // Pia joins the group while the actors listen.
  if (row === 'RT5 membership') return { ...cast.columns, S: [eva], O: [pia] }
  return { ...cast.columns, ...own[permissionMatrix[row].on] }
}
