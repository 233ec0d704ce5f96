import type { MemberClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { reactOperation } from '#contract/chat/reactions.ts'
import { createCommentOperation, likeCommentOperation } from '#contract/comments/comments.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { muteMemberOperation, restrictMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import {
  acceptPhotoTagOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  likePostOperation,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { insertWaitingApplication } from '../applications.ts'
import { admitMemberToGroup, createGroupWithMembers } from '../group-factory.ts'
import { insertAppeal, reportSubject } from '../report-and-moderate.ts'
import { settleNotifications } from '../settle-notifications.ts'
import type { TestWorld } from '../world.ts'

export type FullAccount = {
  her: MemberClient
  /** Both members stay and keep their data. */
  bea: MemberClient
  cleo: MemberClient
  /** The member's group, which Bea and Cleo have joined. */
  joint: string
  post: string
  imageId: string
  /** Bea's post, with a thread that the member started and others answered. */
  kept: string
  thread: string
  /** Bea's post, whose single photo the member hid. */
  withheld: string
  conversation: string
}

export const fullAccountContent = {
  caption: 'zarzamora en la playa',
  location: 'zarzamora',
  tags: ['zarzamora'],
}

export const uploadNamedPhoto = async (who: MemberClient, color: string): Promise<string> =>
  who.upload(await createJpeg(color), 'zarzamora-foto.jpg')

const content = fullAccountContent
const photo = uploadNamedPhoto
const middle = { x: 0.5, y: 0.5 }

/** All texts and names of the member contain `zarzamora`. */
export async function createFullAccount({
  database,
  join,
}: Pick<TestWorld, 'database' | 'join'>): Promise<FullAccount> {
  const [her, bea, cleo] = [await join('Zarzamora'), await join('Bea'), await join('Cleo')]
  const { call } = her
  await call(updateProfileOperation, {
    personId: her.id,
    bio: 'Soy zarzamora',
    imageId: await photo(her, '#112233'),
  })
  await photo(her, '#223344')
  for (const [who, whom] of [
    [her, bea],
    [bea, her],
    [cleo, her],
  ] as const)
    await who.call(followOperation, { personId: whom.id })
  const post = await call(createPostOperation, {
    ...content,
    photos: [await photo(her, '#334455'), await photo(her, '#445566')].map((imageId) => ({
      imageId,
      alt: 'zarzamora',
    })),
  })
  await call(updatePostOperation, { postId: post.$id, caption: 'zarzamora otra vez' })
  const joint = await createGroupWithMembers(her, bea, cleo)
  await createGroupWithMembers(her)
  const beas = await createGroupWithMembers(bea)
  await admitMemberToGroup(bea, her, beas)
  await call(createPostOperation, { ...content, groupId: beas, imageId: await photo(her, '#556677') })
  await call(createPostOperation, { ...content, groupId: joint, imageId: await photo(her, '#667788') })
  const ofBea = await bea.call(createPostOperation, {
    caption: 'De Bea',
    location: 'Casa',
    tags: [],
    imageId: await bea.upload(await createJpeg('#778899')),
  })
  for (const [who, postId] of [
    [her, ofBea.$id],
    [bea, post.$id],
    [cleo, post.$id],
  ] as const) {
    await who.call(likePostOperation, { postId })
    await who.call(savePostOperation, { postId })
  }
  await bea.call(createCommentOperation, { postId: post.$id, content: 'Qué bonito' })
  const thread = await call(createCommentOperation, { postId: ofBea.$id, content: 'zarzamora dice hola' })
  await bea.call(createCommentOperation, { postId: ofBea.$id, content: 'Gracias', parentId: thread.$id })
  await call(createCommentOperation, {
    postId: ofBea.$id,
    content: 'zarzamora de nada',
    parentId: thread.$id,
  })
  await call(createCommentOperation, { postId: ofBea.$id, content: 'zarzamora sola' })
  const beas2 = await bea.call(createCommentOperation, { postId: ofBea.$id, content: 'Aquí está' })
  await call(likeCommentOperation, { commentId: beas2.$id })
  // The member is tagged in two of Bea's photos and hides one.
  const shown = await bea.call(tagPersonOperation, {
    postId: ofBea.$id,
    imageId: ofBea.imageId,
    personId: her.id,
    ...middle,
  })
  await call(acceptPhotoTagOperation, { photoTagId: shown.$id })
  const hiding = await bea.call(createPostOperation, {
    caption: 'Las dos',
    location: 'Casa',
    tags: [],
    imageId: await bea.upload(await createJpeg('#8899aa')),
  })
  const photoTag = await bea.call(tagPersonOperation, {
    postId: hiding.$id,
    imageId: hiding.imageId,
    personId: her.id,
    ...middle,
  })
  await call(acceptPhotoTagOperation, { photoTagId: photoTag.$id })
  await call(withholdPhotoOperation, { postId: hiding.$id, imageId: hiding.imageId })
  const conversation = await call(openConversationOperation, { personId: bea.id })
  const first = await call(sendMessageOperation, {
    conversationId: conversation.$id,
    content: 'zarzamora te escribe',
    photos: [{ imageId: await photo(her, '#aabbcc'), alt: 'La foto' }],
  })
  const answer = await bea.call(sendMessageOperation, { conversationId: conversation.$id, content: 'Hola' })
  await call(reactOperation, { messageId: answer.$id, emoji: '❤️' })
  await bea.call(reactOperation, { messageId: first.$id, emoji: '👏' })
  await call(openConversationOperation, { personId: cleo.id })
  const [dora, eva] = [await join('Dora'), await join('Eva')]
  await call(muteMemberOperation, { personId: dora.id })
  await dora.call(muteMemberOperation, { personId: her.id })
  await call(restrictMemberOperation, { personId: dora.id })
  await call(blockMemberOperation, { personId: eva.id })
  const fina = await join('Fina')
  await fina.call(blockMemberOperation, { personId: her.id })
  await call(createInvitationOperation, {})
  const { username } = await call(getCurrentMemberOperation, {})
  await insertWaitingApplication(database, { voucher: username })
  await database.pool.query(
    `insert into applications (public_id, state, name, username, email, answer, decided_at, account_id)
     select 'hers' || left(a.public_id, 20), 'approved', 'Zarzamora', 'zarzamora', a.email, 'Soy zarzamora.', clock_timestamp(), a.id
     from accounts a where a.public_id = $1
     union all select 'declined' || left(a.public_id, 20), 'declined', 'Zarzamora', 'zarzamora', a.email, 'Zarzamora.', clock_timestamp(), null
     from accounts a where a.public_id = $1`,
    [her.accountId],
  )
  await insertAppeal(database, her, 'Soy zarzamora y no fue así.')
  await reportSubject(database, cleo, { kind: 'post', id: post.$id })
  await reportSubject(database, her, { kind: 'post', id: ofBea.$id })
  await call(settings.listDevicesOperation, {})
  await settleNotifications(database)
  return {
    ...{ her, bea, cleo, joint },
    ...{ post: post.$id, imageId: post.imageId, kept: ofBea.$id },
    ...{ thread: thread.$id, withheld: hiding.$id, conversation: conversation.$id },
  }
}
