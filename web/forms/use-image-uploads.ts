import pLimit from 'p-limit'
import { useEffect, useMemo, useState } from 'react'
import { isAbortError } from './save-with-upload.ts'
import { createImageUpload, type UploadState } from './use-image-upload.ts'

/** `failed`: nothing has arrived, or the server refused it; nothing goes on by itself. */
export type PhotoUploadState = UploadState | { phase: 'failed' }

export type ImageUploads = ReturnType<typeof useImageUploads>

/** More at once would only be slower each, and the first chosen is wanted first. */
const uploadsAtOnce = 2

/** Uploads the images of a form, each with its own progress. Unmounting aborts them and discards what has arrived. */
export function useImageUploads() {
  const [states, setStates] = useState<ReadonlyMap<File, PhotoUploadState>>(new Map())
  const uploads = useMemo(
    () => createImageUploads((file, state) => setStates((before) => new Map(before).set(file, state))),
    [],
  )
  useEffect(() => uploads.cancelAll, [uploads])
  return { stateOf: (file: File | null) => (file && states.get(file)) || idle, ...uploads }
}

const idle: PhotoUploadState = { phase: 'idle' }

type Entry = {
  upload: ReturnType<typeof createImageUpload>
  state: PhotoUploadState
  /** The id it is stored under; under way, or done. */
  stored?: Promise<string>
}

function createImageUploads(show: (file: File, state: PhotoUploadState) => void) {
  const entries = new Map<File, Entry>()
  const inTurn = pLimit(uploadsAtOnce)

  function entryOf(file: File): Entry {
    const known = entries.get(file)
    if (known) return known
    const tell = (state: PhotoUploadState) => {
      entry.state = state
      if (entries.get(file) === entry) show(file, state)
    }
    const entry: Entry = { upload: createImageUpload(tell), state: idle }
    entries.set(file, entry)
    return entry
  }

  async function transfer(file: File, entry: Entry): Promise<string> {
    try {
      return await inTurn(() => {
        if (entries.get(file) !== entry) throw new DOMException('The upload was cancelled', 'AbortError')
        return entry.upload.begin(file)
      })
    } catch (error) {
      entry.stored = undefined
      if (!isAbortError(error) && entry.state.phase !== 'broken' && entries.get(file) === entry)
        show(file, { phase: 'failed' })
      throw error
    }
  }

  /**
   * Uploads a file when it is its turn, or joins its upload that is under way, or answers what is stored.
   * @throws ApiError, or the abort's reason after `cancel`
   */
  function begin(file: File): Promise<string> {
    const entry = entryOf(file)
    if (!entry.stored) {
      show(file, { phase: 'sending', percent: 0 })
      entry.stored = transfer(file, entry)
    }
    return entry.stored
  }

  /** Aborts a file's upload, or discards what of it is stored; saving uploads it anew. */
  function cancel(file: File) {
    const entry = entries.get(file)
    entries.delete(file)
    entry?.upload.cancel()
    show(file, idle)
  }

  return {
    begin,
    cancel,
    cancelAll() {
      for (const file of entries.keys()) cancel(file)
    },
    /** Leaves stored files to the record that they are attached to. */
    release(files: readonly File[]) {
      for (const file of files) entries.delete(file)
    },
  }
}
