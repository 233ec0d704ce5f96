/** A neighbourhood moves in, through the same operations members use; times are set back afterwards. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import sharp from 'sharp'
import { openConversation, sendMessage } from '#contract/chat.ts'
import { approveRequest, requestToJoin } from '#contract/group-requests.ts'
import { createGroup } from '#contract/groups.ts'
import { follow, updatePerson } from '#contract/people.ts'
import { createPost, likePost, savePost } from '#contract/posts.ts'
import { type Door, type Person, signUpAndIn } from '#tests/person.ts'
import { follows, groups, neighbours, stories, talks } from './neighbourhood.ts'

/** A neighbour by username. */
type Called = (username: string) => Person

/** Where they move in: a server, and the database that it keeps. */
type Place = { door: Door; pool: Pool }

/** Everybody's, on a demo instance. */
export const password = 'juntas-juntas'

/** @param say hears how far it has come */
export async function moveIn({ door, pool, say }: Place & { say: (line: string) => void }): Promise<void> {
  const people = new Map<string, Person>()
  for (const { bio, ...who } of neighbours) {
    const person = await signUpAndIn(door, { ...who, email: emailOf(who.username), password })
    await person.call(updatePerson, { personId: person.id, bio })
    people.set(who.username, person)
  }
  const called: Called = (username) => people.get(username) ?? notANeighbour(username)
  for (const [who, followed] of Object.entries(follows)) {
    for (const whom of followed) await called(who).call(follow, { personId: called(whom).id })
  }
  say(`${people.size} members moved in.`)

  const groupIds = await gather(called)
  say(`${groupIds.size} groups have met.`)
  await publish(called, groupIds, pool)
  say(`${stories.length} posts are up.`)
  await talk(called)
  say(`${talks.length} conversations have begun.`)
}

/** @returns the groups' ids by name */
async function gather(called: Called): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, description, picture, admin, members, waiting } of groups) {
    const imageId = await called(admin).upload(await photo(picture), `${picture}.jpg`)
    const group = await called(admin).call(createGroup, { name, description, imageId })
    for (const username of [...members, ...waiting]) {
      const request = await called(username).call(requestToJoin, { groupId: group.$id })
      if (members.includes(username)) await called(admin).call(approveRequest, { requestId: request.$id })
    }
    ids.set(name, group.$id)
  }
  return ids
}

async function publish(called: Called, groupIds: Map<string, string>, pool: Pool): Promise<void> {
  // Oldest first, so that ids and times agree.
  for (const { by, picture, group, likedBy, hoursAgo, ...words } of stories.toReversed()) {
    const author = called(by)
    const imageId = await author.upload(await photo(picture), `${picture}.jpg`)
    const groupId = group ? groupIds.get(group) : null
    const post = await author.call(createPost, { ...words, imageId, groupId })
    for (const fan of likedBy) {
      // A group's post is liked by those who can see it.
      if (await mayRead(called(fan), post.$id)) await called(fan).call(likePost, { postId: post.$id })
    }
    if (likedBy[0]) await called(likedBy[0]).call(savePost, { postId: post.$id })
    await setBack(pool, post.$id, hoursAgo)
  }
}

async function talk(called: Called): Promise<void> {
  for (const { between, lines } of talks) {
    const [one, other] = between.map(called) as [Person, Person]
    const conversation = await one.call(openConversation, { personId: other.id })
    for (const [who, content] of lines) {
      const sender = who === 0 ? one : other
      await sender.call(sendMessage, { conversationId: conversation.$id, content })
    }
  }
}

async function mayRead(person: Person, postId: string): Promise<boolean> {
  return (await person.request('GET', `/v1/posts/${postId}`)).status === 200
}

export function emailOf(username: string): string {
  return `${username}@juntas.example`
}

function notANeighbour(username: string): never {
  throw new Error(`Nobody here is called ${username}`)
}

/** One of the drawn pictures; members send JPEG or PNG. */
export async function photo(picture: string): Promise<Buffer> {
  const drawn = await readFile(join(import.meta.dirname, 'pictures', `${picture}.webp`))
  return sharp(drawn).jpeg({ quality: 88 }).toBuffer()
}

async function setBack(pool: Pool, postId: string, hoursAgo: number): Promise<void> {
  await pool.query(
    `update posts set created_at = created_at - make_interval(secs => $2), updated_at = updated_at - make_interval(secs => $2)
     where public_id = $1`,
    [postId, hoursAgo * 3600],
  )
}
