import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Post } from '#contract/posts/posts.ts'
import { PostPicture } from '#web/ui/images/post-picture.tsx'
import { LazyPhotoViewer } from '#web/ui/photo-viewer/lazy-photo-viewer.tsx'
import { coverAltTextOf, photoAltTextOf } from './photo-alt-text.ts'
import { PhotoCarousel } from './photo-carousel.tsx'
import { getPostPhotoLink, usePostPhotoViewer } from './use-post-photo-viewer.ts'

export function PostPhotos({ post, sizes }: { post: Post; sizes: string }) {
  const { at, pressed, close } = usePostPhotoViewer(post.photos.length)
  const [shown, setShown] = useState(at ?? pressed)
  const photos = useMemo(
    () => post.photos.map((photo, n) => ({ ...photo, alt: photoAltTextOf(post, n), description: photo.alt })),
    [post],
  )
  return (
    <>
      {post.photos.length > 1 ? (
        <PhotoCarousel post={post} framing="whole" sizes={sizes} first to={getPostPhotoLink} start={shown} />
      ) : (
        <Link to={getPostPhotoLink(0)} className="block -outline-offset-2">
          <PostPicture image={post.image} alt={coverAltTextOf(post)} sizes={sizes} crop="whole" first />
        </Link>
      )}
      {at !== undefined && <LazyPhotoViewer photos={photos} start={at} onTurn={setShown} onClose={close} />}
    </>
  )
}
