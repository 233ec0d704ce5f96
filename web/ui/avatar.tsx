import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { imageWidths } from '#contract/limits.ts'
import { localUrl, pictureUrl } from '#web/api.ts'
import { classes } from './classes.ts'

type Person = { name: string; imageUrl: string; imageId: string | null }

const tints = ['bg-tint-1', 'bg-tint-2', 'bg-tint-3', 'bg-tint-4', 'bg-tint-5', 'bg-tint-6']

/** Decorative beside the name: her picture, or her initials, or a silhouette. `size` in CSS pixels. */
export function Avatar({ person, size }: { person: Person; size: number }) {
  const [failed, setFailed] = useState<string>()
  const source = sourceOf(person, size)
  const box = { width: size, height: size }

  if (source.src && failed !== source.src) {
    return (
      <img
        {...source}
        alt=""
        width={size}
        height={size}
        decoding="async"
        onError={() => setFailed(source.src)}
        style={box}
        className={classes(
          'flex-none rounded-full object-cover',
          person.imageId ? 'bg-sunken' : 'behind-letters',
        )}
      />
    )
  }
  const initials = initialsOf(person.name)
  return (
    <span
      aria-hidden="true"
      style={{ ...box, fontSize: size * 0.38 }}
      className={classes(
        'grid flex-none place-items-center rounded-full leading-none font-bold text-on-tint',
        tintOf(person.name),
      )}
    >
      {initials || <UserRound size={size * 0.55} />}
    </span>
  )
}

function sourceOf({ imageId, imageUrl }: Person, size: number) {
  if (!imageId) return { src: localUrl(imageUrl) }
  const at = (pixels: number) => pictureUrl(imageId, imageWidths.find((width) => width >= pixels) ?? 1920)
  return { src: at(size), srcSet: `${at(size)} 1x, ${at(size * 2)} 2x` }
}

/** First letters of the first and the last word: "María José Arce" → "MA". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

function tintOf(name: string): string | undefined {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return tints[hash % tints.length]
}
