/**
 * `npm run seed`: moves a neighbourhood into the configured instance, through the same operations members use. Times are
 * set back afterwards, so that the place looks lived in. Does nothing where the neighbours live already.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { openConversation, sendMessage } from '#contract/chat.ts'
import { approveRequest, requestToJoin } from '#contract/group-requests.ts'
import { createGroup } from '#contract/groups.ts'
import { follow, updatePerson } from '#contract/people.ts'
import { createPost, likePost, savePost } from '#contract/posts.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { findEmbedded } from '#server/database/embedded.ts'
import { migrate } from '#server/database/migrate.ts'
import { connect, openDatabase } from '#server/database/open.ts'
import { createLog } from '#server/log.ts'
import { type Person, signUpAndIn } from '#tests/person.ts'
import { follows, groups, neighbours, stories, talks } from './seed/neighbourhood.ts'
import { root } from './tools.ts'

/** A neighbour by username. */
type Called = (username: string) => Person

/** Everybody's, on a demo instance. */
const password = 'juntas-juntas'

// The house rules against haste are for members; a whole neighbourhood moves in at once.
const config = { ...readConfig(process.env), limits: false }
const log = createLog('warn')
// A server that runs on the data folder has the database open: it is asked, not started twice.
const running = config.databaseUrl ? undefined : findEmbedded(config.dataDir)
const database = running ? connect({ url: running, log }) : await openDatabase(config, log)
await migrate(database.directUrl, log)
const app = await buildApp({ config, log, database })
try {
  await moveIn()
} finally {
  await app.close()
  await database.close()
}

async function moveIn(): Promise<void> {
  const [first] = neighbours
  if (!first || (await livesHere(first.username))) return console.log('The neighbours live here already.')

  const people = new Map<string, Person>()
  for (const { bio, ...who } of neighbours) {
    const person = await signUpAndIn(app, { ...who, email: emailOf(who.username), password })
    await person.call(updatePerson, { personId: person.id, bio })
    people.set(who.username, person)
  }
  const called: Called = (username) => people.get(username) ?? notANeighbour(username)
  for (const [who, followed] of Object.entries(follows)) {
    for (const whom of followed) await called(who).call(follow, { personId: called(whom).id })
  }
  console.log(`${people.size} members moved in.`)

  const groupIds = await gather(called)
  console.log(`${groupIds.size} groups have met.`)
  await publish(called, groupIds)
  console.log(`${stories.length} posts are up.`)
  await talk(called)
  console.log(`${talks.length} conversations have begun.`)
  console.log(`Sign in as ${emailOf(first.username)} with the password ${password}`)
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

async function publish(called: Called, groupIds: Map<string, string>): Promise<void> {
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
    await setBack(post.$id, hoursAgo)
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

function emailOf(username: string): string {
  return `${username}@juntas.example`
}

async function livesHere(username: string): Promise<boolean> {
  const { rows } = await database.pool.query('select from users where username_key = lower($1)', [username])
  return rows.length > 0
}

function notANeighbour(username: string): never {
  throw new Error(`Nobody here is called ${username}`)
}

/** Members send JPEG or PNG. */
async function photo(picture: string): Promise<Buffer> {
  const drawn = await readFile(join(root, 'scripts/seed/pictures', `${picture}.webp`))
  return sharp(drawn).jpeg({ quality: 88 }).toBuffer()
}

async function setBack(postId: string, hoursAgo: number): Promise<void> {
  await database.pool.query(
    `update posts set created_at = created_at - make_interval(secs => $2), updated_at = updated_at - make_interval(secs => $2)
     where public_id = $1`,
    [postId, hoursAgo * 3600],
  )
}
