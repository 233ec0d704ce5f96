/** Records failed requests, lost messages and damaged pictures. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  encodeMultipartUpload,
  type RawUploadRequest,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { buildLiveSocketUrl } from '#api-client/realtime-urls.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { followOperation } from '#contract/people/people.ts'
import { createPostOperation, explorePostsOperation, getHomeFeedOperation } from '#contract/posts/posts.ts'
import { catchUpOperation, type SocketServerFrame } from '#contract/realtime/realtime.ts'
import { sanitizeImage } from '#server/images/sanitize-image.ts'
import { createNoisePng } from './image-fixtures.ts'

export type TrafficReport = {
  requests: number
  failed: string[]
  /** A message is lost if the server acknowledged it but the recipient never received it. */
  messages: { sent: string[]; lost: string[]; milliseconds: number[] }
  /** An upload is broken if the server sends back different bytes. */
  uploads: { made: number; broken: number }
  closings: Record<number, number>
}

export type RunningTraffic = {
  readonly report: TrafficReport
  stop(): Promise<TrafficReport>
}

const password = 'correcta caballo pila grapa'
const pauseMs = 100
/** The same delay as in the web app. */
const reconnectMs = 1000

/** @param name distinguishes the members of several runs */
export async function startMemberTraffic(
  url: string,
  crowd: { pairs: number; readers: number; uploaders: number },
  name = 'crowd',
): Promise<RunningTraffic> {
  const api = createHttpTransport(url)
  const report: TrafficReport = {
    requests: 0,
    failed: [],
    messages: { sent: [], lost: [], milliseconds: [] },
    uploads: { made: 0, broken: 0 },
    closings: {},
  }
  let going = true

  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    report.requests += 1
    try {
      return await work()
    } catch (error) {
      report.failed.push(`${new Date().toISOString()} ${what}: ${(error as Error).message}`)
      return undefined
    }
  }

  let joined = 0
  const join = () => {
    joined += 1
    const username = `${name}${joined}`
    const email = `${username}@juntas.test`
    return signUpAndSignIn(api, { name: `Member ${joined}`, username, email, password })
  }

  const conversation = async (number: number): Promise<() => Promise<void>> => {
    const [sender, receiver] = [await join(), await join()]
    // A stranger could send only five messages, so the receiver follows the sender.
    await receiver.call(followOperation, { personId: sender.id })
    const { $id: conversationId } = await sender.call(openConversationOperation, { personId: receiver.id })
    const sentAt = new Map<string, number>()
    const received = new Set<string>()
    const ear = await listen(receiver, (content) => {
      const began = sentAt.get(content)
      if (began === undefined || received.has(content)) return
      received.add(content)
      report.messages.milliseconds.push(performance.now() - began)
    })
    const sending = (async () => {
      for (let count = 0; going; count += 1) {
        const content = `${name} ${number} ${count}`
        sentAt.set(content, performance.now())
        const sent = await attempt('send a message', () =>
          sender.call(sendMessageOperation, { conversationId, content }),
        )
        if (sent) report.messages.sent.push(content)
        else sentAt.delete(content)
        await pause(pauseMs)
      }
    })()
    return async () => {
      await sending
      await ear.end()
      const acknowledged = report.messages.sent.filter((content) => sentAt.has(content))
      report.messages.lost.push(...acknowledged.filter((content) => !received.has(content)))
    }
  }

  /** Uses a socket that reconnects, and catches up (contract/realtime/realtime.ts). */
  const listen = async (person: MemberClient, receive: (content: string) => void) => {
    let position = (await person.call(catchUpOperation, {})).position
    let ended = false
    /** While catching up, events do not advance the position. */
    let behind = false
    const catchUpNow = async () => {
      behind = true
      for (; behind; await pause(pauseMs)) {
        const missed = await attempt('catch up', () =>
          person.call(catchUpOperation, { since: position, collections: 'messages' }),
        )
        if (!missed) continue
        for (const { collection, kind, document } of missed.changes)
          if (collection === 'messages' && kind !== 'delete') receive(document.content)
        position = missed.position
        behind = false
      }
    }
    const open = async () => {
      const address = `${buildLiveSocketUrl(url)}?collections=messages`
      const socket = new WebSocket(address, { headers: { cookie: person.cookie } })
      socket.on('error', () => {})
      socket.on('message', (bytes) => {
        const { type, data } = JSON.parse(String(bytes)) as SocketServerFrame
        if (type === 'connected') void catchUpNow()
        if (type !== 'change') return
        if (data.collection === 'messages' && data.kind !== 'delete') receive(data.document.content)
        if (!behind) position = data.position
      })
      socket.on('close', (code) => {
        if (ended) return
        report.closings[code] = (report.closings[code] ?? 0) + 1
        setTimeout(() => {
          if (!ended) current = open()
        }, reconnectMs)
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
        await attempt('read home', () => reader.call(getHomeFeedOperation, {}))
        await attempt('read explore', () => reader.call(explorePostsOperation, {}))
        await pause(pauseMs)
      }
    })()
    return () => reading
  }

  const putUp = async (bytes: Buffer): Promise<() => Promise<void>> => {
    const author = await join()
    const whole = createHash('sha256')
    for (const part of sanitizeImage(bytes).parts) whole.update(part)
    const expected = whole.digest('hex')
    const one = async () => {
      const imageId = await attempt('upload', () => uploadInPieces(author, bytes))
      if (!imageId) return
      const seen = await attempt('see the picture', () => see(author, imageId))
      if (seen === undefined || createHash('sha256').update(seen).digest('hex') !== expected) {
        report.uploads.broken += 1
        return
      }
      report.uploads.made += 1
      const words = { caption: 'Un día de mar', location: 'Valencia', tags: [] }
      await attempt('publish', () => author.call(createPostOperation, { ...words, imageId }))
    }
    const uploading = (async () => {
      while (going) {
        await one()
        await pause(pauseMs)
      }
    })()
    return () => uploading
  }

  const ends: (() => Promise<void>)[] = []
  for (let number = 0; number < crowd.pairs; number += 1) ends.push(await conversation(number))
  for (let number = 0; number < crowd.readers; number += 1) ends.push(await read())
  const picture = crowd.uploaders > 0 ? await createNoisePng(1400, 1300) : Buffer.alloc(0)
  for (let number = 0; number < crowd.uploaders; number += 1) ends.push(await putUp(picture))

  return {
    report,
    async stop() {
      going = false
      await Promise.all(ends.map((end) => end()))
      return report
    },
  }
}

/** @returns the file's id @throws with the status if the server refuses a chunk */
async function uploadInPieces(author: MemberClient, bytes: Buffer): Promise<string> {
  const pieces = Math.ceil(bytes.length / sliceUploadChunk(bytes, 0).bytes.length)
  let continues: string | undefined
  for (let number = 0; number < pieces; number += 1) {
    const upload: RawUploadRequest = {
      ...sliceUploadChunk(bytes, number),
      ...(continues ? { continues, fileId: continues } : {}),
    }
    const { body, headers } = await encodeMultipartUpload(upload)
    const answer = await author.request<AppwriteFileResponse>('POST', appwriteFilesPath, body, headers)
    if (answer.status !== 201) throw new Error(`piece ${number} answered ${answer.status}`)
    continues = answer.body.$id
  }
  if (!continues) throw new Error('there was nothing to upload')
  return continues
}

async function see(person: MemberClient, imageId: string): Promise<Buffer> {
  const answer = await person.request('GET', `${appwriteFilesPath}/${imageId}/view`)
  if (answer.status !== 200) throw new Error(`the picture answered ${answer.status}`)
  return answer.raw
}
