import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { imageVariantWidthsPx } from '#contract/limits.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { cx } from '../cx.ts'
import { addToPictureMemoryCache } from './picture-memory-cache.ts'

export type AvatarPerson = { name: string; imageId: string | null }

const tints = ['bg-tint-1', 'bg-tint-2', 'bg-tint-3', 'bg-tint-4', 'bg-tint-5', 'bg-tint-6']

/**
 * The avatar is decorative, because the name is beside it. CSS generates the initials: as text, they would
 * mismatch the link's label (WCAG 2.5.3). `size` is in CSS pixels.
 */
export function Avatar({ person, size }: { person: AvatarPerson; size: number }) {
  const { name, imageId } = person
  const [failed, setFailed] = useState<string>()
  const box = { width: size, height: size }

  if (imageId && failed !== imageId) {
    const at = (pixels: number) =>
      imageVariantUrl(imageId, imageVariantWidthsPx.find((width) => width >= pixels) ?? 1920)
    return (
      <img
        src={at(size)}
        srcSet={`${at(size)} 1x, ${at(size * 2)} 2x`}
        alt=""
        width={size}
        height={size}
        decoding="async"
        onLoad={({ currentTarget }) => addToPictureMemoryCache(currentTarget.currentSrc)}
        onError={() => setFailed(imageId)}
        style={box}
        // Prevents a dark disc while the image loads.
        className={cx('flex-none rounded-full object-cover', tintOf(name))}
      />
    )
  }
  const initials = avatarInitialsOf(name)
  return (
    <span
      aria-hidden="true"
      data-generated={initials}
      style={{ ...box, fontSize: size * 0.38 }}
      className={cx(
        'grid flex-none place-items-center rounded-full leading-none font-bold text-on-tint forced-color-adjust-none',
        tintOf(name),
      )}
    >
      {!initials && <UserRound size={size * 0.55} />}
    </span>
  )
}

/** Uses the first and last words that begin with a letter or digit: "María José Arce 🌻" → "MA". */
export function avatarInitialsOf(name: string): string {
  const letters = name.split(/\s/).flatMap((word) => /^[\p{L}\p{N}]/u.exec(word) ?? [])
  return (letters.shift() ?? '').concat(letters.pop() ?? '').toUpperCase()
}

function tintOf(name: string): string | undefined {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return tints[hash % tints.length]
}
