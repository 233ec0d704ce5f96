import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import sharp from 'sharp'
import {
  createApiClient,
  type MemberClient,
  type RequestTransport,
  signUpAndSignIn,
} from '#api-client/member-client.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation, unsendMessageOperation } from '#contract/chat/messages.ts'
import { reactOperation } from '#contract/chat/reactions.ts'
import { createCommentOperation, likeCommentOperation } from '#contract/comments/comments.ts'
import { getCommunityOperation } from '#contract/community/community.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import { acceptPhotoTagOperation, tagPersonOperation } from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  likePostOperation,
  type PhotoInput,
  type Post,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { demoComments, demoPhotoTags, demoPostEdits } from './demo-comments-and-tags.ts'
import { demoConversations, demoFollows, demoGroups, demoMembers, demoPosts } from './demo-data.ts'
import { drawFace } from './draw-face.ts'

type FindMember = (username: string) => MemberClient

type Target = { api: RequestTransport; pool: Pool }

export const demoPassword = 'juntas-juntas'

/** @param say receives progress messages */
export async function createDemoData({
  api,
  pool,
  say,
}: Target & { say: (line: string) => void }): Promise<void> {
  const people = new Map<string, MemberClient>()
  const { rulesVersion } = await createApiClient(api, '').call(getCommunityOperation, {})
  for (const { bio, face, ...who } of demoMembers) {
    const person = await signUpAndSignIn(api, {
      ...who,
      email: buildDemoEmail(who.username),
      password: demoPassword,
      rulesVersion,
    })
    const imageId = face && (await person.upload(await drawFace(face), 'face.png'))
    await person.call(updateProfileOperation, { personId: person.id, bio, imageId })
    people.set(who.username, person)
  }
  const memberCalled: FindMember = (username) => people.get(username) ?? failUnknownMember(username)
  for (const [who, followed] of Object.entries(demoFollows)) {
    for (const whom of followed)
      await memberCalled(who).call(followOperation, { personId: memberCalled(whom).id })
  }
  say(`${people.size} members were created.`)

  const groupIds = await createGroups(memberCalled)
  say(`${groupIds.size} groups were created.`)
  const posts = await createPosts(memberCalled, groupIds, pool)
  say(`${demoPosts.length} posts were created.`)
  await createConversation(memberCalled, posts)
  say(`${Object.keys(demoComments).length} posts were talked about.`)
  await createConversations(memberCalled, posts, pool)
  say(`${demoConversations.length} conversations were created.`)
}

async function createGroups(memberCalled: FindMember): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, description, picture, admin, members, waiting } of demoGroups) {
    const imageId = await memberCalled(admin).upload(await readDemoPictureJpeg(picture), `${picture}.jpg`)
    const group = await memberCalled(admin).call(createGroupOperation, { name, description, imageId })
    for (const username of [...members, ...waiting]) {
      const request = await memberCalled(username).call(requestToJoinOperation, { groupId: group.$id })
      if (members.includes(username))
        await memberCalled(admin).call(approveJoinRequestOperation, { requestId: request.$id })
    }
    ids.set(name, group.$id)
  }
  return ids
}

type FindPost = (picture: string) => Post

async function createPosts(
  memberCalled: FindMember,
  groupIds: Map<string, string>,
  pool: Pool,
): Promise<FindPost> {
  const posts = new Map<string, Post>()
  // Creates the oldest first, so that ids follow the order of time.
  for (const {
    by,
    picture,
    alt = '',
    more = [],
    group,
    likedBy,
    hoursAgo,
    ...words
  } of demoPosts.toReversed()) {
    const author = memberCalled(by)
    const photos: PhotoInput[] = []
    for (const photo of [{ picture, alt }, ...more]) {
      const bytes = await readDemoPictureJpeg(photo.picture)
      photos.push({ imageId: await author.upload(bytes, `${photo.picture}.jpg`), alt: photo.alt })
    }
    const groupId = group ? groupIds.get(group) : null
    const post = await author.call(createPostOperation, { ...words, photos, groupId })
    for (const fan of likedBy) {
      // Only members of the group can like its posts.
      if (await mayRead(memberCalled(fan), post.$id))
        await memberCalled(fan).call(likePostOperation, { postId: post.$id })
    }
    if (likedBy[0]) await memberCalled(likedBy[0]).call(savePostOperation, { postId: post.$id })
    await backdatePost(pool, post.$id, hoursAgo)
    posts.set(picture, post)
  }
  return (picture) => {
    const post = posts.get(picture)
    if (!post) throw new Error(`No demo post shows ${picture}`)
    return post
  }
}

async function createConversation(memberCalled: FindMember, postOf: FindPost): Promise<void> {
  for (const [picture, threads] of Object.entries(demoComments)) {
    const postId = postOf(picture).$id
    const say = async (given: { by: string; words: string; likedBy?: string[] }, parentId?: string) => {
      const content = { postId, content: given.words, parentId }
      const { $id: commentId } = await memberCalled(given.by).call(createCommentOperation, content)
      for (const fan of given.likedBy ?? []) await memberCalled(fan).call(likeCommentOperation, { commentId })
      return commentId
    }
    for (const { answers = [], ...thread } of threads) {
      const parentId = await say(thread)
      for (const answer of answers) await say(answer, parentId)
    }
  }
  for (const { picture, person, x, y, says } of demoPhotoTags) {
    const post = postOf(picture)
    const author = memberCalled(authorOf(picture))
    const imageId = post.photos[0]?.id ?? ''
    const given = { postId: post.$id, imageId, personId: memberCalled(person).id, x, y }
    const { $id: photoTagId } = await author.call(tagPersonOperation, given)
    if (says) await memberCalled(person).call(acceptPhotoTagOperation, { photoTagId })
  }
  for (const [picture, caption] of Object.entries(demoPostEdits))
    await memberCalled(authorOf(picture)).call(updatePostOperation, { postId: postOf(picture).$id, caption })
}

const authorOf = (picture: string): string =>
  demoPosts.find((post) => post.picture === picture)?.by ?? failUnknownMember(picture)

async function createConversations(memberCalled: FindMember, postOf: FindPost, pool: Pool): Promise<void> {
  for (const { between, minutesAgo, lines } of demoConversations) {
    const both = between.map(memberCalled) as [MemberClient, MemberClient]
    const [one, other] = both
    const { $id: conversationId } = await one.call(openConversationOperation, { personId: other.id })
    const sent: string[] = []
    for (const [who, content, { photo, sharedPost, replyTo, reaction, unsent } = {}] of lines) {
      const sender = both[who]
      const bytes = photo && (await readDemoPictureJpeg(photo.picture))
      const { $id: messageId } = await sender.call(sendMessageOperation, {
        conversationId,
        content,
        ...(photo &&
          bytes && {
            photos: [{ imageId: await sender.upload(bytes, `${photo.picture}.jpg`), alt: photo.alt }],
          }),
        ...(sharedPost && { sharedPostId: postOf(sharedPost).$id }),
        ...(replyTo !== undefined && { replyTo: sent[replyTo] }),
      })
      sent.push(messageId)
      if (reaction) await both[1 - who]?.call(reactOperation, { messageId, emoji: reaction })
      if (unsent) await sender.call(unsendMessageOperation, { messageId })
    }
    await backdateConversation(pool, conversationId, minutesAgo)
  }
}

async function mayRead(person: MemberClient, postId: string): Promise<boolean> {
  return (await person.request('GET', `/v1/posts/${postId}`)).status === 200
}

export function buildDemoEmail(username: string): string {
  return `${username}@juntas.example`
}

function failUnknownMember(username: string): never {
  throw new Error(`No demo member is called ${username}`)
}

/** Uploads must be JPEG or PNG. */
export async function readDemoPictureJpeg(picture: string): Promise<Buffer> {
  const drawn = await readFile(join(import.meta.dirname, 'pictures', `${picture}.webp`))
  return sharp(drawn).jpeg({ quality: 88 }).toBuffer()
}

async function backdatePost(pool: Pool, postId: string, hoursAgo: number): Promise<void> {
  await pool.query(
    `update posts set created_at = created_at - make_interval(secs => $2), updated_at = updated_at - make_interval(secs => $2)
     where public_id = $1`,
    [postId, hoursAgo * 3600],
  )
}

/** The last message was sent `minutesAgo`, the others a minute apart before it. */
async function backdateConversation(pool: Pool, conversationId: string, minutesAgo: number): Promise<void> {
  await pool.query(
    `with talk as (select id from conversations where public_id = $1),
       dated as (
         select m.id, clock_timestamp() - make_interval(
           mins => $2::int + (row_number() over (order by m.id desc))::int - 1) as at
         from messages m join talk on talk.id = m.conversation_id
       ),
       moved as (update messages set created_at = dated.at from dated where messages.id = dated.id)
     update conversations set updated_at = (select max(at) from dated), created_at = (select min(at) from dated)
     where id = (select id from talk)`,
    [conversationId, minutesAgo],
  )
}
