import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { discardUpload, uploadPicture } from '../api/upload.ts'

/** `broken` means interrupted: sending the same file resumes after the part that the server has. */
export type UploadState = { phase: 'idle' } | { phase: 'sending' | 'broken'; percent: number }

export type ImageUpload = ReturnType<typeof useImageUpload>

/** Unmounting aborts the upload and discards its received part. */
export function useImageUpload() {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const upload = useMemo(() => createImageUpload(setState), [])
  useEffect(() => upload.cancel, [upload])
  return { state, ...upload }
}

export function createImageUpload(show: (state: UploadState) => void) {
  let current: { file: File; controller: AbortController; stored: Promise<string> } | undefined
  /** The part that the server received before a break. */
  let arrived: { file: File; fileId: string } | undefined

  function cancel() {
    current?.controller.abort(new DOMException('The upload was cancelled', 'AbortError'))
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
