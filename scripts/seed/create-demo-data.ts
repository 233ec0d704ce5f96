/** Creates the demo data through the operations that members use; posts are backdated afterwards. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import sharp from 'sharp'
import { type MemberClient, type RequestTransport, signUpAndSignIn } from '#api-client/member-client.ts'
import { openConversationOperation, sendMessageOperation } from '#contract/chat/conversations.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/group-requests.ts'
import { createGroupOperation } from '#contract/groups.ts'
import { followOperation, updateProfileOperation } from '#contract/people.ts'
import {
  createPostOperation,
  likePostOperation,
  type PhotoInput,
  savePostOperation,
} from '#contract/posts.ts'
import { demoConversations, demoFollows, demoGroups, demoMembers, demoPosts } from './demo-data.ts'
import { drawFace } from './draw-face.ts'

/** Finds a demo member by username. */
type FindMember = (username: string) => MemberClient

/** A server, and its database. */
type Target = { door: RequestTransport; pool: Pool }

/** The password of every demo member. */
export const demoPassword = 'juntas-juntas'

/** @param say is called with each step of the progress */
export async function createDemoData({
  door,
  pool,
  say,
}: Target & { say: (line: string) => void }): Promise<void> {
  const people = new Map<string, MemberClient>()
  for (const { bio, face, ...who } of demoMembers) {
    const person = await signUpAndSignIn(door, {
      ...who,
      email: buildDemoEmail(who.username),
      password: demoPassword,
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
  await createPosts(memberCalled, groupIds, pool)
  say(`${demoPosts.length} posts were created.`)
  await createConversations(memberCalled, pool)
  say(`${demoConversations.length} conversations were created.`)
}

/** @returns the groups' ids by name */
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

async function createPosts(
  memberCalled: FindMember,
  groupIds: Map<string, string>,
  pool: Pool,
): Promise<void> {
  // Creates the oldest first, so that the order of ids is the order of times.
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
      // Only members of the group may like a group's post.
      if (await mayRead(memberCalled(fan), post.$id))
        await memberCalled(fan).call(likePostOperation, { postId: post.$id })
    }
    if (likedBy[0]) await memberCalled(likedBy[0]).call(savePostOperation, { postId: post.$id })
    await backdatePost(pool, post.$id, hoursAgo)
  }
}

async function createConversations(memberCalled: FindMember, pool: Pool): Promise<void> {
  for (const { between, minutesAgo, lines } of demoConversations) {
    const [one, other] = between.map(memberCalled) as [MemberClient, MemberClient]
    const { $id: conversationId } = await one.call(openConversationOperation, { personId: other.id })
    for (const [who, content] of lines)
      await (who === 0 ? one : other).call(sendMessageOperation, { conversationId, content })
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

/** Reads one of the drawn pictures as a JPEG: uploads take JPEG or PNG. */
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

/** Puts the last message at its time and the others a minute apart before it. */
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
