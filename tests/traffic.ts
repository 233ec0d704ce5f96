/**
 * Members at work, over real connections, while somebody restarts, breaks or copies what they work with: they write to each
 * other, look around and put up pictures, and notice everything that does not go as it should.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { openConversation, sendMessage } from '#contract/chat.ts'
import { catchUp } from '#contract/live.ts'
import { createPost, explorePosts, homeFeed } from '#contract/posts.ts'
import { sanitise } from '#server/images/intake.ts'
import { type Person, signUpAndIn } from './person.ts'
import { noisePng } from './pictures.ts'
import { remote } from './remote.ts'
import { documentsOf, listening } from './sockets.ts'
import { filesPath, formOf, pieceOf, type StoredFile, type Upload } from './uploading.ts'

export type Noticed = {
  requests: number
  /** What was asked and how it went, of everything that was not answered as it should be. */
  failed: string[]
  /** Their contents. Lost is what its sender was told is sent and the other has never heard. */
  messages: { sent: string[]; lost: string[]; milliseconds: number[] }
  /** Broken is a picture that is not there whole, byte for byte. */
  uploads: { made: number; broken: number }
  /** Why sockets ended: close code → how often. */
  closings: Record<number, number>
}

export type Traffic = {
  /** So far. */
  readonly noticed: Noticed
  /** Lets everybody finish what she is doing. */
  stop(): Promise<Noticed>
}

const password = 'correcta caballo pila grapa'
/** Between two doings of one member. */
const breath = 100
/** As the web comes back (spec §4 Live updates). */
const comeBackAfter = 1000

/** @param url where the members find the server @param name keeps the members of several crowds apart */
export async function startTraffic(
  url: string,
  crowd: { pairs: number; readers: number; uploaders: number },
  name = 'crowd',
): Promise<Traffic> {
  const door = remote(url)
  const noticed: Noticed = {
    requests: 0,
    failed: [],
    messages: { sent: [], lost: [], milliseconds: [] },
    uploads: { made: 0, broken: 0 },
    closings: {},
  }
  let going = true

  /** @returns undefined where it failed */
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    noticed.requests += 1
    try {
      return await work()
    } catch (error) {
      noticed.failed.push(`${new Date().toISOString()} ${what}: ${(error as Error).message}`)
      return undefined
    }
  }

  let joined = 0
  const join = () => {
    joined += 1
    const username = `${name}${joined}`
    const email = `${username}@juntas.test`
    return signUpAndIn(door, { name: `Member ${joined}`, username, email, password })
  }

  const talk = async (number: number): Promise<() => Promise<void>> => {
    const [sender, receiver] = [await join(), await join()]
    const { $id: conversationId } = await sender.call(openConversation, { personId: receiver.id })
    const sentAt = new Map<string, number>()
    const heard = new Set<string>()
    const ear = await listen(receiver, (content) => {
      const began = sentAt.get(content)
      if (began === undefined || heard.has(content)) return
      heard.add(content)
      noticed.messages.milliseconds.push(performance.now() - began)
    })
    const sending = (async () => {
      for (let count = 0; going; count += 1) {
        const content = `${name} ${number} ${count}`
        sentAt.set(content, performance.now())
        const sent = await attempt('send a message', () =>
          sender.call(sendMessage, { conversationId, content }),
        )
        if (sent) noticed.messages.sent.push(content)
        else sentAt.delete(content)
        await pause(breath)
      }
    })()
    return async () => {
      await sending
      await ear.end()
      const acknowledged = noticed.messages.sent.filter((content) => sentAt.has(content))
      noticed.messages.lost.push(...acknowledged.filter((content) => !heard.has(content)))
    }
  }

  /** Hears by a socket that comes back, and by catching up on what came meanwhile (contract/live.ts). */
  const listen = async (person: Person, hear: (content: string) => void) => {
    let position = (await person.call(catchUp, {})).position
    let ended = false
    /** Until she has caught up she is behind, whatever she hears meanwhile. */
    let behind = false
    const catchUpNow = async () => {
      behind = true
      for (; behind; await pause(breath)) {
        const missed = await attempt('catch up', () =>
          person.call(catchUp, { since: position, collections: 'messages' }),
        )
        if (!missed) continue
        for (const { document } of missed.changes) hear(String(document.content))
        position = later(position, missed.position)
        behind = false
      }
    }
    const open = async () => {
      const query = new URLSearchParams({ project: 'juntas' })
      query.append('channels[]', documentsOf('messages'))
      const socket = new WebSocket(`${await listening(url)}?${query}`, { headers: { cookie: person.cookie } })
      socket.on('error', () => {})
      socket.on('message', (bytes) => {
        const { type, data } = JSON.parse(String(bytes))
        if (type === 'connected') void catchUpNow()
        if (type !== 'event') return
        hear(data.payload.content)
        if (!behind) position = later(position, data.position)
      })
      socket.on('close', (code) => {
        if (ended) return
        noticed.closings[code] = (noticed.closings[code] ?? 0) + 1
        setTimeout(() => {
          if (!ended) current = open()
        }, comeBackAfter)
      })
      return socket
    }
    let current = open()
    return {
      async end() {
        ended = true
        ;(await current).terminate()
        await catchUpNow()
      },
    }
  }

  const read = async (): Promise<() => Promise<void>> => {
    const reader = await join()
    const reading = (async () => {
      while (going) {
        await attempt('read home', () => reader.call(homeFeed, {}))
        await attempt('read explore', () => reader.call(explorePosts, {}))
        await pause(breath)
      }
    })()
    return () => reading
  }

  const putUp = async (bytes: Buffer): Promise<() => Promise<void>> => {
    const author = await join()
    const whole = createHash('sha256')
    for (const part of sanitise(bytes).parts) whole.update(part)
    const expected = whole.digest('hex')
    const one = async () => {
      const imageId = await attempt('upload', () => uploadInPieces(author, bytes))
      if (!imageId) return
      const seen = await attempt('see the picture', () => see(author, imageId))
      if (seen === undefined || createHash('sha256').update(seen).digest('hex') !== expected) {
        noticed.uploads.broken += 1
        return
      }
      noticed.uploads.made += 1
      const words = { caption: 'Un día de mar', location: 'Valencia', tags: [] }
      await attempt('publish', () => author.call(createPost, { ...words, imageId }))
    }
    const uploading = (async () => {
      while (going) {
        await one()
        await pause(breath)
      }
    })()
    return () => uploading
  }

  const ends: (() => Promise<void>)[] = []
  for (let number = 0; number < crowd.pairs; number += 1) ends.push(await talk(number))
  for (let number = 0; number < crowd.readers; number += 1) ends.push(await read())
  const picture = crowd.uploaders > 0 ? await noisePng(1400, 1300) : Buffer.alloc(0)
  for (let number = 0; number < crowd.uploaders; number += 1) ends.push(await putUp(picture))

  return {
    noticed,
    async stop() {
      going = false
      await Promise.all(ends.map((end) => end()))
      return noticed
    },
  }
}

/** @returns its id @throws with the status of the piece that was not taken */
async function uploadInPieces(author: Person, bytes: Buffer): Promise<string> {
  const pieces = Math.ceil(bytes.length / pieceOf(bytes, 0).bytes.length)
  let continues: string | undefined
  for (let number = 0; number < pieces; number += 1) {
    const upload: Upload = {
      ...pieceOf(bytes, number),
      ...(continues ? { continues, fileId: continues } : {}),
    }
    const { body, headers } = await formOf(upload)
    const answer = await author.request<StoredFile>('POST', filesPath, body, headers)
    if (answer.status !== 201) throw new Error(`piece ${number} answered ${answer.status}`)
    continues = answer.body.$id
  }
  if (!continues) throw new Error('there was nothing to upload')
  return continues
}

async function see(person: Person, imageId: string): Promise<Buffer> {
  const answer = await person.request('GET', `${filesPath}/${imageId}/view`)
  if (answer.status !== 200) throw new Error(`the picture answered ${answer.status}`)
  return answer.raw
}

/** Of two positions the one that is further on. */
function later(one: string, other: string | null): string {
  const transaction = (position: string) => Number.parseInt(position, 36)
  return other !== null && transaction(other) > transaction(one) ? other : one
}
