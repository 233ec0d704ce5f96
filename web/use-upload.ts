import { useEffect, useMemo, useState } from 'react'
import { ApiError } from './api.ts'
import { discardUpload, uploadPicture } from './upload.ts'

/** `broken` keeps what has arrived: sending the same file again goes on from there. */
export type UploadState = { phase: 'idle' } | { phase: 'sending' | 'broken'; percent: number }

/** One picture's way to the server as a form shows it. Leaving the page ends it and takes back what had arrived. */
export function useUpload() {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const upload = useMemo(() => pictureUpload(setState), [])
  useEffect(() => upload.cancel, [upload])
  return { state, ...upload }
}

function pictureUpload(show: (state: UploadState) => void) {
  let partial: { file: File; fileId: string } | undefined
  let underWay: AbortController | undefined

  function forget() {
    if (partial) void discardUpload(partial.fileId)
    partial = undefined
  }

  return {
    /** @throws ApiError, or the abort's reason after `cancel` */
    async send(file: File): Promise<string> {
      if (partial && partial.file !== file) forget()
      const ours = new AbortController()
      underWay = ours
      let percent = 0
      const sending = (share: number) => {
        percent = Math.floor(share * 100)
        show({ phase: 'sending', percent })
      }
      sending(0)
      try {
        const { $id } = await uploadPicture(file, {
          onProgress: sending,
          onBegun: (fileId) => {
            partial = { file, fileId }
          },
          resume: partial?.fileId,
          signal: ours.signal,
        })
        // From here on the file belongs to the form, which attaches it or takes it back.
        partial = undefined
        show({ phase: 'idle' })
        return $id
      } catch (error) {
        const canGoOn = partial && error instanceof ApiError && (error.code === 0 || error.code >= 500)
        if (!canGoOn) forget()
        show(canGoOn ? { phase: 'broken', percent } : { phase: 'idle' })
        throw error
      }
    },

    /** Ends what is under way, drops what has arrived. */
    cancel() {
      underWay?.abort(new DOMException('The upload was cancelled', 'AbortError'))
      forget()
      show({ phase: 'idle' })
    },
  }
}
