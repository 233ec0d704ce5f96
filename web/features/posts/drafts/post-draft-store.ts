/**
 * Drafts are in IndexedDB, because unposted content is private. Text is stored separately from photos, so it saves
 * fast and survives a full disk. Signing out deletes the database.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { withIndexedDatabase } from '#web/api/indexed-database.ts'
import type { PostDraftPhoto, PostFormDraft } from '../form/post-form-schema.ts'
import {
  allowPostDrafts,
  arePostDraftsDeleted,
  postDraftDatabaseName,
  postDraftLockName,
} from './post-draft-database.ts'

export const maxPostDrafts = 10
const keptMs = 30 * 86_400_000
/** The limit for the photos of all drafts together. */
const maxPhotoBytes = 200 * 1024 * 1024

type Words = Omit<PostFormDraft, 'photos'>
type PhotoFiles = Omit<PostDraftPhoto, 'key' | 'alt' | 'imageId'>
/** `bytes` is 0 if they could not be stored. */
type PhotoEntry = Pick<PostDraftPhoto, 'key' | 'alt' | 'imageId'> & { bytes: number }

export type WaitingPost = {
  groupName: string | null
  uploaded: Readonly<Record<string, string>>
  /** A refused post is not sent again until the member changes it. */
  refusal?: { type: string; message: string }
}

type StoredDraft = {
  id: string
  account: string
  savedAt: number
  /** The member saved the draft, or its form was interrupted. */
  putAway: boolean
  words: Words
  photos: PhotoEntry[]
  waiting?: WaitingPost
}

interface Schema extends DBSchema {
  drafts: { key: string; value: StoredDraft }
  photos: { key: [draft: string, photo: string]; value: PhotoFiles }
}

export type PostDraftSummary = Pick<StoredDraft, 'id' | 'savedAt' | 'putAway' | 'waiting'> & {
  caption: string
  groupId: string
  cover: File | null
  open: boolean
}

export type PostDraftStore = {
  /** Lists drafts newest first. Deletes drafts older than thirty days. */
  list(): Promise<PostDraftSummary[]>
  read(id: string): Promise<PostFormDraft | null>
  /** Stores a draft. A post that waits to be sent becomes a draft again. @returns whether the text was stored */
  write(id: string, content: PostFormDraft, putAway: boolean): Promise<boolean>
  readWaiting(id: string): Promise<WaitingPost | null>
  /** With null, a waiting post becomes a draft again. @returns false if the bytes of a photo are missing */
  setWaiting(id: string, waiting: WaitingPost | null): Promise<boolean>
  remove(id: string): Promise<void>
}

export function openPostDraftStore(account: string): PostDraftStore {
  allowPostDrafts()
  const written = new Map<string, File | null>()

  async function writePhoto(id: string, photo: PostDraftPhoto, room: number): Promise<number> {
    const { key, alt: _, imageId: __, ...files } = photo
    const bytes = sizeOf(files)
    if (bytes === 0 || bytes > room) return 0
    if (written.get(key) === photo.file) return bytes
    const stored = await withDatabase((db) => db.put('photos', files, [id, key]))
    if (stored === null) return 0
    written.set(key, photo.file)
    return bytes
  }

  async function removeRows(ids: readonly string[]) {
    await withDatabase(async (db) => {
      const tx = db.transaction(['drafts', 'photos'], 'readwrite')
      for (const id of ids) {
        void tx.objectStore('drafts').delete(id)
        void tx.objectStore('photos').delete(photosOf(id))
      }
      await tx.done
    })
  }

  return {
    async list() {
      const all = (await withDatabase((db) => db.getAll('drafts'))) ?? []
      const old = all.filter(({ savedAt }) => savedAt < Date.now() - keptMs)
      if (old.length > 0) await removeRows(old.map(({ id }) => id))
      const mine = all.filter((draft) => draft.account === account && !old.includes(draft))
      const covers = await Promise.all(
        mine.map(async ({ id, photos: [first] }) => {
          const files = first && (await withDatabase((db) => db.get('photos', [id, first.key])))
          return files?.file ?? null
        }),
      )
      const { held = [] } = (await navigator.locks?.query()) ?? {}
      return mine
        .map(({ id, savedAt, putAway, waiting, words: { caption, groupId } }, at) => ({
          ...{ id, savedAt, putAway, waiting, caption, groupId },
          cover: covers[at] ?? null,
          open: held.some(({ name }) => name === postDraftLockName(id)),
        }))
        .toSorted((one, other) => other.savedAt - one.savedAt)
    },
    read: (id) =>
      withDatabase(async (db) => {
        const draft = await db.get('drafts', id)
        if (draft?.account !== account) return null
        const photos = await Promise.all(
          draft.photos.map(async ({ bytes: _, ...photo }) => {
            const files = (await db.get('photos', [id, photo.key])) ?? { file: null }
            if (files.file) written.set(photo.key, files.file)
            return { ...files, ...photo }
          }),
        )
        return { ...draft.words, photos }
      }),
    async write(id, { photos, ...words }, putAway) {
      const savedAt = Date.now()
      const entries: PhotoEntry[] = photos.map(({ key, alt, imageId, ...files }) => ({
        key,
        alt,
        imageId,
        bytes: written.get(key) === files.file ? sizeOf(files) : 0,
      }))
      const draft: StoredDraft = { id, account, savedAt, putAway, words, photos: entries }
      const put = () => withDatabase((db) => db.put('drafts', draft))
      if ((await put()) === null) return false
      const others = (await withDatabase((db) => db.getAll('drafts'))) ?? []
      let room = maxPhotoBytes
      for (const other of others)
        if (other.id !== id) room -= other.photos.reduce((sum, { bytes }) => sum + bytes, 0)
      for (const [at, photo] of photos.entries()) {
        const bytes = await writePhoto(id, photo, room)
        room -= bytes
        if (entries[at]) entries[at].bytes = bytes
      }
      await put()
      await withDatabase(async (db) => {
        for (const key of await db.getAllKeys('photos', photosOf(id)))
          if (!photos.some((photo) => photo.key === key[1])) await db.delete('photos', key)
      })
      return true
    },
    readWaiting: (id) =>
      withDatabase(async (db) => {
        const draft = await db.get('drafts', id)
        return (draft?.account === account && draft.waiting) || null
      }),
    async setWaiting(id, waiting) {
      const isSet = await withDatabase(async (db) => {
        const tx = db.transaction('drafts', 'readwrite')
        const draft = await tx.store.get(id)
        const isWhole = draft?.photos.every(({ bytes, imageId }) => bytes > 0 || imageId)
        const isFound = draft?.account === account && (!waiting || isWhole)
        if (isFound) await tx.store.put({ ...draft, waiting: waiting ?? undefined })
        await tx.done
        return isFound
      })
      return isSet ?? false
    },
    remove: (id) => removeRows([id]),
  }
}

/** The upper bound is an array, because IndexedDB sorts arrays after strings. */
const photosOf = (id: string) => IDBKeyRange.bound([id], [id, []])

function sizeOf(files: object): number {
  return Object.values(files).reduce((sum: number, value: unknown) => {
    if (value instanceof Blob) return sum + value.size
    return typeof value === 'object' && value !== null ? sum + sizeOf(value) : sum
  }, 0)
}

async function withDatabase<Answer>(
  work: (db: IDBPDatabase<Schema>) => Promise<Answer>,
): Promise<Answer | null> {
  if (arePostDraftsDeleted()) return null
  return withIndexedDatabase<Schema, Answer>(
    postDraftDatabaseName,
    (db) => {
      db.createObjectStore('drafts', { keyPath: 'id' })
      db.createObjectStore('photos')
    },
    work,
  )
}
