import { en } from '#contract/language.ts'
import type { PostPhoto } from '#contract/posts/posts.ts'
import { PostPicture } from '#web/ui/images/post-picture.tsx'
import { TagPositionMarker } from './tag-position-marker.tsx'

type Props = { photo: PostPhoto; x: number; y: number; name: string; sizes: string }

export function PhotoWithTagMarker({ photo, x, y, name, sizes }: Props) {
  return (
    <span className="relative block">
      <PostPicture
        image={photo}
        alt={photo.alt || en(`Photo with ${name} tagged`, `Foto en la que está etiquetada ${name}`)}
        sizes={sizes}
        crop="whole"
      />
      <TagPositionMarker x={x} y={y} name={name} />
    </span>
  )
}
