/** Members at work whose every write is on the ledger, and what the database says of it afterwards. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { openConversation } from '#contract/chat.ts'
import { newId } from '#server/ids.ts'
import { sanitise } from '#server/images/intake.ts'
import { type Person, signUpAndIn } from '../person.ts'
import { jpeg } from '../pictures.ts'
import { remote } from '../remote.ts'
import { filesPath, formOf, pieceOf } from '../uploading.ts'
import type { Ledger, State } from './ledger.ts'

const password = 'correcta caballo pila grapa'

export type Crowd = { people: Person[]; stop(): Promise<void> }

/** @param url an address that stays while servers come and go behind it */
export async function startWork(url: string, size: number, ledger: Ledger): Promise<Crowd> {
  const door = remote(url)
  const people: Person[] = []
  for (let n = 0; n < size; n += 1) {
    const username = `caos${newId(8)}`
    people.push(
      await signUpAndIn(door, { name: `Caos ${n}`, username, email: `${username}@juntas.test`, password }),
    )
  }
  const talks = await Promise.all(
    people.map(async (person, n) => {
      const other = people[(n + 1) % size] as Person
      return (await person.call(openConversation, { personId: other.id })).$id
    }),
  )
  const picture = await jpeg()
  let going = true

  /** In turn, so that each kind of write is under way at every moment of some fault. */
  const work = async (me: Person, n: number) => {
    const mine: { postId: string; fileId: string }[] = []
    const other = people[(n + 1) % size] as Person
    for (let turn = n; going; turn += 1) {
      await [say, say, follow, publish, like, makeGroup, remove, say][turn % 8]?.()
      // Somebody whose requests go nowhere does not hammer.
      await pause(ledger.isDown ? 200 : 5)
    }
    async function say() {
      const messageId = newId()
      const path = `/v1/conversations/${talks[n]}/messages`
      await ledger.record(`message ${messageId}`, `hola ${messageId}`, () =>
        statusOf(me, 'POST', path, { messageId, content: `hola ${messageId}` }),
      )
    }
    async function follow() {
      const on = Math.random() < 0.5
      await ledger.record(`follow ${me.id} ${other.id}`, on, () =>
        statusOf(me, on ? 'PUT' : 'DELETE', `/v1/people/${other.id}/follow`),
      )
    }
    async function publish() {
      const fileId = newId()
      const { body, headers } = await formOf({ ...pieceOf(picture, 0), fileId })
      const uploaded = await ledger.record(
        `file ${fileId}`,
        true,
        async () => (await me.request('POST', filesPath, body, headers)).status,
      )
      if (uploaded !== 'acknowledged') return
      const documentId = newId()
      const data = { creator: me.id, caption: 'una foto', location: 'Lima', tags: [], imageId: fileId }
      const path = '/v1/databases/main/collections/posts/documents'
      const made = await ledger.record(`post ${documentId}`, true, () =>
        statusOf(me, 'POST', path, { documentId, data }),
      )
      if (made === 'acknowledged') mine.push({ postId: documentId, fileId })
    }
    async function like() {
      const postId = mine.at(-1)?.postId
      const on = Math.random() < 0.7
      if (postId) {
        await ledger.record(`like ${me.id} ${postId}`, on, () =>
          statusOf(me, on ? 'PUT' : 'DELETE', `/v1/posts/${postId}/like`),
        )
      }
    }
    async function makeGroup() {
      const documentId = newId()
      const path = '/v1/databases/main/collections/groups/documents'
      await ledger.record(`group ${documentId}`, true, () =>
        statusOf(me, 'POST', path, { documentId, data: { name: 'Tejer', adminId: me.id } }),
      )
    }
    /** Its likes and its picture go with it. */
    async function remove() {
      const { postId, fileId } = (mine.length > 3 ? mine.shift() : undefined) ?? {}
      if (!postId) return
      ledger.mayBeGone(`like ${me.id} ${postId}`)
      ledger.mayBeGone(`file ${fileId}`)
      await ledger.record(`post ${postId}`, false, () => statusOf(me, 'DELETE', `/v1/posts/${postId}`))
    }
  }
  const all = Promise.all(people.map(work))
  return {
    people,
    async stop() {
      going = false
      await all
    },
  }
}

const statusOf = async (me: Person, method: string, path: string, body?: unknown) =>
  (await me.request(method, path, body)).status

/** What there is, by the names that the ledger gives it. */
export async function stored(client: Client): Promise<Map<string, State>> {
  const found = new Map<string, State>()
  const add = async (query: string) => {
    const { rows } = await client.query<{ key: string; is: State }>(query)
    for (const { key, is } of rows) found.set(key, is)
  }
  await add(`select 'message ' || public_id as key, content as is from messages`)
  await add(`select 'post ' || public_id as key, true as is from posts`)
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

/** @returns posts whose picture is not there, byte for byte */
export async function brokenPictures(url: string, person: Person, client: Client): Promise<string[]> {
  const whole = createHash('sha256')
  for (const part of sanitise(await jpeg()).parts) whole.update(part)
  const expected = whole.digest('hex')
  const { rows } = await client.query<{ post: string; file: string }>(
    'select p.public_id as post, f.public_id as file from posts p join files f on f.id = p.image_id',
  )
  const wrong: string[] = []
  for (const { post, file } of rows) {
    const answer = await remote(url).inject({
      method: 'GET',
      url: `${filesPath}/${file}/view`,
      headers: { cookie: person.cookie },
    })
    const is = createHash('sha256').update(answer.rawPayload).digest('hex')
    if (answer.statusCode !== 200 || is !== expected)
      wrong.push(`${post}: ${file} answered ${answer.statusCode}`)
  }
  return wrong
}
