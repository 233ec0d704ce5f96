import pLimit from 'p-limit'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { discardUpload, uploadPicture } from '../api/upload.ts'
import { isAbortError } from './save-with-upload.ts'

/** `broken` means interrupted: sending the same file resumes after the part that the server has. */
type UploadState = { phase: 'idle' } | { phase: 'sending' | 'broken'; percent: number }

export type ImageUpload = ReturnType<typeof useImageUpload>

/** Unmounting aborts the upload and discards its received part. */
export function useImageUpload() {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const upload = useMemo(() => createImageUpload(setState), [])
  useEffect(() => upload.cancel, [upload])
  return { state, ...upload }
}

function createImageUpload(show: (state: UploadState) => void) {
  let current: { file: File; controller: AbortController; stored: Promise<string> } | undefined
  /** The part that the server received before a break. */
  let arrived: { file: File; fileId: string } | undefined

  function cancel() {
    current?.controller.abort(cancelled())
    current = undefined
    if (arrived) void discardUpload(arrived.fileId)
    arrived = undefined
    show({ phase: 'idle' })
  }

  async function transfer(file: File, signal: AbortSignal): Promise<string> {
    let percent = 0
    const sending = (share: number) => {
      if (signal.aborted) return
      percent = Math.floor(share * 100)
      show({ phase: 'sending', percent })
    }
    sending(0)
    try {
      const { $id } = await uploadPicture(file, {
        onProgress: sending,
        onBegun(fileId) {
          if (signal.aborted) void discardUpload(fileId)
          else arrived = { file, fileId }
        },
        resume: arrived?.fileId,
        signal,
      })
      signal.throwIfAborted()
      show({ phase: 'idle' })
      return $id
    } catch (error) {
      if (signal.aborted) throw error
      current = undefined
      const canGoOn = arrived && error instanceof ApiError && (error.code === 0 || error.code >= 500)
      if (canGoOn) show({ phase: 'broken', percent })
      else cancel()
      throw error
    }
  }

  /**
   * A new file replaces the previous one.
   * @throws ApiError, or the abort's reason after `cancel`
   */
  function begin(file: File): Promise<string> {
    if (current?.file === file) return current.stored
    if (arrived?.file !== file || current) cancel()
    const controller = new AbortController()
    current = { file, controller, stored: transfer(file, controller.signal) }
    return current.stored
  }

  return {
    begin,
    cancel,
    /** The caller now owns the upload and must attach or discard it. */
    async send(file: File): Promise<string> {
      const fileId = await begin(file)
      current = undefined
      arrived = undefined
      return fileId
    },
  }
}

/**
 * - `preparing`: being converted
 * - `refused`: the file is not a usable picture
 * - `waiting`: nothing sent yet
 * - `failed`: the upload failed or the server refused it; only the member can start it again
 */
export type PhotoUploadState =
  | UploadState
  | { phase: 'preparing' | 'waiting' | 'failed' }
  | { phase: 'refused'; reason: string }

export type ImageUploads = ReturnType<typeof useImageUploads>

/** More would slow each other down, and the form needs the first photo first. */
const uploadsAtOnce = 2

/** Milliseconds in which the member can crop a photo, so that the part cut away is never sent. */
const waitBeforeUploadMs = 4_000

/**
 * Unmounting aborts uploads and discards their received parts.
 * @param holds sends nothing before the form is saved
 */
export function useImageUploads({
  prepare,
  holds = false,
}: {
  prepare?: PreparePhoto
  holds?: boolean
} = {}) {
  const [states, setStates] = useState<ReadonlyMap<File, PhotoUploadState>>(new Map())
  const uploads = useMemo(
    () =>
      createImageUploads(
        (file, state) => setStates((before) => new Map(before).set(file, state)),
        prepare,
        holds,
      ),
    [prepare, holds],
  )
  useEffect(() => uploads.cancelAll, [uploads])
  return { stateOf: (file: File | null) => (file && states.get(file)) || idle, ...uploads }
}

const idle: PhotoUploadState = { phase: 'idle' }

const backOnline = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }))

const cancelled = () => new DOMException('The upload was cancelled', 'AbortError')

/**
 * For display and upload. Undefined if no conversion is needed.
 * @throws Error with a message for the member
 */
export type PreparePhoto = (file: File) => Promise<File | undefined>

type Entry = {
  upload: ReturnType<typeof createImageUpload>
  state: PhotoUploadState
  stored?: Promise<string>
  isSent?: boolean
  attempts: number
}

export function createImageUploads(
  show: (file: File, state: PhotoUploadState) => void,
  prepare: PreparePhoto = async () => undefined,
  holds = false,
) {
  /** Kept as long as the form, so each file is converted once. */
  const made = new Map<File, Promise<File>>()
  const ready = new Map<File, File>()
  const entries = new Map<File, Entry>()
  const inTurn = pLimit(uploadsAtOnce)

  function entryOf(file: File): Entry {
    const known = entries.get(file)
    if (known) return known
    const updateState = (state: PhotoUploadState) => {
      entry.state = state
      if (entries.get(file) === entry) show(file, state)
    }
    const entry: Entry = { upload: createImageUpload(updateState), state: idle, attempts: 0 }
    entries.set(file, entry)
    return entry
  }

  function readyFile(file: File): Promise<File> {
    const known = made.get(file)
    if (known) return known
    const making = prepare(file).then((next) => {
      ready.set(file, next ?? file)
      return next ?? file
    })
    made.set(file, making)
    return making
  }

  async function transfer(file: File, entry: Entry): Promise<string> {
    const upload = await readyFile(file).catch((error: Error) => {
      entry.stored = undefined
      if (entries.get(file) === entry) show(file, { phase: 'refused', reason: error.message })
      throw error
    })
    try {
      return await inTurn(() => {
        if (entries.get(file) !== entry) throw cancelled()
        entry.isSent = true
        return entry.upload.begin(upload)
      })
    } catch (error) {
      entry.stored = undefined
      if (!isAbortError(error) && entry.state.phase !== 'broken' && entries.get(file) === entry)
        show(file, { phase: 'failed' })
      throw error
    }
  }

  /** @throws ApiError, or the abort's reason after `cancel` */
  function begin(file: File): Promise<string> {
    const entry = entryOf(file)
    if (!entry.stored) {
      entry.attempts += 1
      show(file, { phase: 'sending', percent: 0 })
      entry.stored = transfer(file, entry)
    }
    return entry.stored
  }

  /**
   * Waits until the device is online and the member has had time to crop or remove the file. With `holds`, only
   * converts the file.
   * @throws ApiError, or the abort's reason after `cancel`
   */
  async function beginSoon(file: File): Promise<string | undefined> {
    const entry = entryOf(file)
    if (!entry.stored) {
      const { attempts } = entry
      show(file, { phase: 'preparing' })
      const moment = new Promise((resolve) => setTimeout(resolve, waitBeforeUploadMs))
      const isReady = await readyFile(file).catch(() => false)
      if (isReady && entries.get(file) === entry && !entry.stored) show(file, { phase: 'waiting' })
      if (holds) return undefined
      if (isReady) await moment
      if (isReady && !navigator.onLine) await backOnline()
      if (entries.get(file) !== entry) throw cancelled()
      // Saving sent it meanwhile and failed, so the member decides whether to resume.
      if (entry.attempts > attempts && !entry.stored) return undefined
    }
    return begin(file)
  }

  /** Saving the form uploads the file again. */
  function cancel(file: File) {
    const entry = entries.get(file)
    entries.delete(file)
    entry?.upload.cancel()
    show(file, idle)
  }

  return {
    begin,
    beginSoon,
    holds,
    readyOf: (file: File | null): File | null => (file && ready.get(file)) ?? null,
    isSent: (file: File): boolean => entries.get(file)?.isSent === true,
    cancel,
    cancelAll() {
      for (const file of entries.keys()) cancel(file)
    },
    /** The record that uses the files now owns them. */
    release(files: readonly File[]) {
      for (const file of files) entries.delete(file)
    },
  }
}
