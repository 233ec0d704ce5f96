/** A stored photo opens in the viewer. A pending one is shown from its file. */

import { useState } from 'react'
import { Link } from 'react-router'
import type { MessagePhoto } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { getDisplayAspectRatio } from '#contract/posts/feed-photo.ts'
import type { PendingPhoto } from '#web/api/upload-photos-and-send.ts'
import { cx } from '#web/ui/cx.ts'
import { PostPicture } from '#web/ui/images/post-picture.tsx'
import { useObjectUrl } from '#web/ui/images/use-object-url.ts'
import { getMessagePhotoLink } from './use-message-photo-viewer.tsx'

type Props = {
  photos: readonly MessagePhoto[]
  pending: readonly PendingPhoto[] | undefined
  by: string
  hasWords: boolean
}

const sizes = '(max-width: 767px) 62vw, 320px'

export function MessagePhotos({ photos, pending, by, hasWords }: Props) {
  const count = pending?.length ?? photos.length
  const nameOf = (alt: string, at: number) =>
    alt ||
    (count === 1
      ? en(`Photo by ${by}`, `Foto de ${by}`)
      : en(`Photo ${at + 1} of ${count} by ${by}`, `Foto ${at + 1} de ${count} de ${by}`))
  const crop = count === 1 ? 'feed' : 'square'
  const classesOf = (at: number) =>
    cx('block overflow-hidden rounded-input', count === 3 && at === 0 && 'col-span-2 [&>span]:aspect-2/1!')
  return (
    <span
      data-photos={count}
      className={cx(
        '-mx-2.5 -mt-1 grid gap-1 overflow-hidden rounded-input',
        count === 1 ? 'w-[min(16rem,60vw)]' : 'w-[min(20rem,64vw)] grid-cols-2',
        hasWords && 'mb-1.5',
      )}
    >
      {pending
        ? pending.map(({ file, alt }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the photos of a message never change their order
            <span key={at} className={classesOf(at)}>
              <PendingPicture file={file} alt={nameOf(alt, at)} crop={crop} />
            </span>
          ))
        : photos.map((photo, at) => (
            <Link
              key={photo.id}
              to={getMessagePhotoLink(photo.id)}
              className={cx(classesOf(at), 'focus-visible:-outline-offset-3')}
            >
              <PostPicture image={photo} alt={nameOf(photo.alt, at)} sizes={sizes} crop={crop} />
            </Link>
          ))}
    </span>
  )
}

function PendingPicture({ file, alt, crop }: { file: File; alt: string; crop: 'feed' | 'square' }) {
  const url = useObjectUrl(file)
  const [own, setOwn] = useState({ width: 1, height: 1 })
  return (
    <span
      style={{ aspectRatio: getDisplayAspectRatio(own, crop) }}
      className="block w-full overflow-hidden bg-sunken"
    >
      {url && (
        <img
          src={url}
          alt={alt}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setOwn({ width: naturalWidth, height: naturalHeight })
          }
          className="size-full object-cover opacity-75"
        />
      )}
    </span>
  )
}
