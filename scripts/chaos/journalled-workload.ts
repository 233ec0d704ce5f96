/** A journal records the members' writes. Other functions read the stored data. */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import {
  appwriteFilesPath,
  encodeMultipartUpload,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { generateId } from '#server/ids.ts'
import { sanitizeImage } from '#server/images/sanitize-image.ts'
import { createJpeg } from '../harness/image-fixtures.ts'
import type { JournalledState, WriteJournal } from './write-journal.ts'

const password = 'correcta caballo pila grapa'

export type JournalledWorkload = {
  people: MemberClient[]
  readonly brokenOff: number
  stop(): Promise<void>
}

/** @param url the same across restarts */
export async function startJournalledWorkload(
  url: string,
  size: number,
  journal: WriteJournal,
): Promise<JournalledWorkload> {
  const api = createHttpTransport(url)
  const people: MemberClient[] = []
  for (let n = 0; n < size; n += 1) {
    const username = `caos${generateId(8)}`
    people.push(
      await signUpAndSignIn(api, {
        name: `Caos ${n}`,
        username,
        email: `${username}@juntas.test`,
        password,
      }),
    )
  }
  const conversations = await Promise.all(
    people.map(async (person, n) => {
      const other = people[(n + 1) % size] as MemberClient
      return (await person.call(openConversationOperation, { personId: other.id })).$id
    }),
  )
  const picture = await createJpeg()
  let going = true
  let brokenOff = 0
  let published = 0

  const work = async (me: MemberClient, n: number) => {
    const mine: { postId: string; imageIds: string[]; commentIds: string[] }[] = []
    const said: string[] = []
    const other = people[(n + 1) % size] as MemberClient
    const kinds = [say, react, say, unsend, follow, publish, comment, like, makeGroup, remove, abandon]
    for (let turn = n; going; turn += 1) {
      await kinds[turn % kinds.length]?.()
      await pause(journal.isDown ? 200 : 5)
    }
    async function say() {
      const messageId = generateId()
      const path = `/v1/conversations/${conversations[n]}/messages`
      const sent = await journal.record(`message ${messageId}`, `hola ${messageId}`, () =>
        statusOf(me, 'POST', path, { messageId, content: `hola ${messageId}` }),
      )
      if (sent === 'acknowledged') said.push(messageId)
    }
    async function react() {
      const messageId = said.at(-1)
      if (!messageId) return
      await journal.record(`reaction ${me.id} ${messageId}`, '👏', () =>
        statusOf(me, 'PUT', `/v1/messages/${messageId}/reaction`, { emoji: '👏' }),
      )
    }
    async function unsend() {
      const messageId = said.length > 1 ? said.shift() : undefined
      if (!messageId) return
      journal.mayBeGone(`reaction ${me.id} ${messageId}`)
      await journal.record(`message ${messageId}`, '', () =>
        statusOf(me, 'DELETE', `/v1/messages/${messageId}`),
      )
    }
    async function comment() {
      const post = mine.at(-1)
      if (!post) return
      const commentId = generateId()
      post.commentIds.push(commentId)
      await journal.record(`comment ${commentId}`, `qué ${commentId}`, () =>
        statusOf(me, 'POST', `/v1/posts/${post.postId}/comments`, { commentId, content: `qué ${commentId}` }),
      )
    }
    async function follow() {
      const on = Math.random() < 0.5
      await journal.record(`follow ${me.id} ${other.id}`, on, () =>
        statusOf(me, on ? 'PUT' : 'DELETE', `/v1/people/${other.id}/follow`),
      )
    }
    /** Publishes a post, which must exist completely or not at all. */
    async function publish() {
      const imageIds = Array.from({ length: 1 + (published % 3) }, () => generateId())
      published += 1
      for (const fileId of imageIds) {
        const { body, headers } = await encodeMultipartUpload({ ...sliceUploadChunk(picture, 0), fileId })
        const uploaded = await journal.record(
          `file ${fileId}`,
          true,
          async () => (await me.request('POST', appwriteFilesPath, body, headers)).status,
        )
        if (uploaded !== 'acknowledged') return
      }
      const documentId = generateId()
      const words = { creator: me.id, caption: 'una foto', location: 'Lima', tags: [] }
      const data = { ...words, imageId: imageIds[0], imageIds }
      const path = '/v1/databases/main/collections/posts/documents'
      const made = await journal.record(`post ${documentId}`, imageIds.join(' '), () =>
        statusOf(me, 'POST', path, { documentId, data }),
      )
      if (made === 'acknowledged') mine.push({ postId: documentId, imageIds, commentIds: [] })
    }
    async function abandon() {
      const fileId = generateId()
      const { body, headers } = await encodeMultipartUpload({ ...sliceUploadChunk(picture, 0), fileId })
      const share = brokenOff % 5
      brokenOff += 1
      const sent = body.subarray(0, Math.floor((share / 4) * body.length))
      await breakOff(new URL(appwriteFilesPath, url), { ...headers, cookie: me.cookie }, sent, body.length)
    }
    async function like() {
      const postId = mine.at(-1)?.postId
      const on = Math.random() < 0.7
      if (postId) {
        await journal.record(`like ${me.id} ${postId}`, on, () =>
          statusOf(me, on ? 'PUT' : 'DELETE', `/v1/posts/${postId}/like`),
        )
      }
    }
    async function makeGroup() {
      const documentId = generateId()
      const path = '/v1/databases/main/collections/groups/documents'
      await journal.record(`group ${documentId}`, true, () =>
        statusOf(me, 'POST', path, { documentId, data: { name: 'Tejer', adminId: me.id } }),
      )
    }
    async function remove() {
      const { postId, imageIds, commentIds } = (mine.length > 3 ? mine.shift() : undefined) ?? {}
      if (!postId) return
      journal.mayBeGone(`like ${me.id} ${postId}`)
      for (const commentId of commentIds ?? []) journal.mayBeGone(`comment ${commentId}`)
      for (const fileId of imageIds ?? []) journal.mayBeGone(`file ${fileId}`)
      await journal.record(`post ${postId}`, false, () => statusOf(me, 'DELETE', `/v1/posts/${postId}`))
    }
  }
  const all = Promise.all(people.map(work))
  return {
    people,
    get brokenOff() {
      return brokenOff
    },
    async stop() {
      going = false
      await all
    },
  }
}

function breakOff(url: URL, headers: Record<string, string>, sent: Buffer, announced: number): Promise<void> {
  return new Promise((resolve) => {
    const begun = request(url, { method: 'POST', headers: { ...headers, 'content-length': announced } })
    begun.on('error', () => {})
    begun.once('close', resolve)
    begun.flushHeaders()
    if (sent.length === 0) begun.once('socket', () => begun.destroy())
    else begun.write(sent, () => begun.destroy())
  })
}

const statusOf = async (me: MemberClient, method: string, path: string, body?: unknown) =>
  (await me.request(method, path, body)).status

/** The keys are those of the journal. */
export async function readStoredJournalStates(client: Client): Promise<Map<string, JournalledState>> {
  const found = new Map<string, JournalledState>()
  const add = async (query: string) => {
    const { rows } = await client.query<{ key: string; is: JournalledState }>(query)
    for (const { key, is } of rows) found.set(key, is)
  }
  await add(`select 'message ' || public_id as key, content as is from messages`)
  await add(`select 'comment ' || public_id as key, content as is from comments`)
  await add(`select 'reaction ' || u.public_id || ' ' || m.public_id as key, r.emoji as is
    from message_reactions r join users u on u.id = r.user_id join messages m on m.id = r.message_id`)
  await add(`select 'post ' || p.public_id as key, concat_ws(' ', cover.public_id, (
      select string_agg(f.public_id, ' ' order by pp.position) from post_photos pp join files f on f.id = pp.file_id
      where pp.post_id = p.id)) as is
    from posts p join files cover on cover.id = p.image_id`)
  await add(`select 'group ' || public_id as key, true as is from groups`)
  await add(
    `select 'file ' || public_id as key, true as is from files where state in ('ready', 'attached', 'deleting')`,
  )
  await add(`select 'follow ' || a.public_id || ' ' || b.public_id as key, true as is
    from follows f join users a on a.id = f.follower_id join users b on b.id = f.following_id`)
  await add(`select 'like ' || u.public_id || ' ' || p.public_id as key, true as is
    from post_likes l join users u on u.id = l.user_id join posts p on p.id = l.post_id`)
  return found
}

/** @returns corrupted files, and unfinished files that the server wrongly sends */
export async function findBrokenPictures(
  url: string,
  people: MemberClient[],
  client: Client,
): Promise<string[]> {
  const whole = createHash('sha256')
  for (const part of sanitizeImage(await createJpeg()).parts) whole.update(part)
  const expected = whole.digest('hex')
  const { rows } = await client.query<{ file: string; owner: string; state: string }>(
    `select f.public_id as file, u.public_id as owner, f.state
     from files f join users u on u.id = f.owner_id where f.state <> 'deleting'`,
  )
  const cookies = new Map(people.map(({ id, cookie }) => [id, cookie]))
  const wrong: string[] = []
  for (const { file, owner, state } of rows) {
    const headers = { cookie: cookies.get(owner) }
    const answer = await createHttpTransport(url).inject({
      method: 'GET',
      url: `${appwriteFilesPath}/${file}/view`,
      headers,
    })
    const is = createHash('sha256').update(answer.rawPayload).digest('hex')
    const right =
      state === 'uploading' ? answer.statusCode === 404 : answer.statusCode === 200 && is === expected
    if (!right) wrong.push(`${file}, ${state}, answered ${answer.statusCode}`)
  }
  return wrong
}
