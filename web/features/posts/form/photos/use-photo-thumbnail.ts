import pLimit from 'p-limit'
import { useEffect, useState } from 'react'

/** Twice the width of a tile, for double pixel density. */
const thumbnailWidthPx = 200

/** One at a time: decoding 12 megapixels takes 48 MB of memory. */
const inTurn = pLimit(1)

/** Returns the URL of a small copy, because ten full-size photos would fill a phone's memory. */
export function usePhotoThumbnail(file: File | null): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return setUrl(undefined)
    let made: string | undefined
    let left = false
    void inTurn(async () => (left ? null : makeThumbnail(file))).then((blob) => {
      if (left || !blob) return
      made = URL.createObjectURL(blob)
      setUrl(made)
    })
    return () => {
      left = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}

async function makeThumbnail(file: File): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(file, { resizeWidth: thumbnailWidthPx, resizeQuality: 'medium' })
    const canvas = document.createElement('canvas')
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    bitmap.close()
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  } catch {
    return null
  }
}
