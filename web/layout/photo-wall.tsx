/** The photos load after the form. */
import balloons from '#web/assets/photo-wall/balloons.webp'
import barragan from '#web/assets/photo-wall/barragan.webp'
import bougainvillea from '#web/assets/photo-wall/bougain.webp'
import ceramics from '#web/assets/photo-wall/ceramics.webp'
import coffee from '#web/assets/photo-wall/coffee.webp'
import dahlia from '#web/assets/photo-wall/dahlia.webp'
import lavender from '#web/assets/photo-wall/lavender.webp'
import lemons from '#web/assets/photo-wall/lemons.webp'
import oranges from '#web/assets/photo-wall/oranges.webp'
import parasols from '#web/assets/photo-wall/parasols.webp'
import sea from '#web/assets/photo-wall/sea.webp'
import yarn from '#web/assets/photo-wall/yarn.webp'
import { cx } from '#web/ui/cx.ts'
import { DecorativeFaces } from './decorative-faces.tsx'

type Photo = { src: string; square?: boolean }

const columns: Photo[][] = [
  [{ src: bougainvillea }, { src: lemons, square: true }, { src: balloons }, { src: yarn, square: true }],
  [{ src: sea, square: true }, { src: ceramics }, { src: parasols, square: true }, { src: lavender }],
  [{ src: barragan }, { src: coffee }, { src: dahlia, square: true }, { src: oranges }],
]
const starts = ['-mt-20', '-mt-45', '-mt-7.5 max-three:hidden']

export function PhotoWall({ say, mirrored }: { say: string; mirrored: boolean }) {
  const shown = mirrored ? [...columns].reverse() : columns
  return (
    <>
      <div className="grid h-full animate-fade grid-cols-2 items-start gap-4 px-4 three:grid-cols-3">
        {shown.map((photos, at) => (
          <Column
            key={photos[0]?.src}
            photos={photos}
            className={cx('gap-4', starts[at])}
            round="rounded-card"
          />
        ))}
      </div>
      <div className="absolute inset-x-5 bottom-5 flex flex-col items-start gap-3 rounded-card bg-surface/94 px-4.5 py-4 shadow-over three:inset-x-8 three:bottom-8 three:flex-row three:items-center three:gap-5 three:px-[26px] three:py-[22px]">
        <DecorativeFaces />
        <p className="heading text-[1.375rem] leading-[1.75rem] tracking-[-0.02em] text-balance">{say}</p>
      </div>
    </>
  )
}

const strip: Photo[][] = [
  [{ src: bougainvillea }, { src: lemons, square: true }],
  [{ src: ceramics }, { src: sea, square: true }],
  [{ src: barragan }, { src: coffee }],
]
const stripStarts = ['-mt-[34px]', '-mt-3', '-mt-15']

export function DecorativePhotoStrip() {
  return (
    <div className="grid animate-fade grid-cols-[1.2fr_1fr_1.2fr] gap-2 px-2">
      {strip.map((photos, at) => (
        <Column
          key={photos[0]?.src}
          photos={photos}
          className={cx('gap-2', stripStarts[at])}
          round="rounded-photo"
        />
      ))}
    </div>
  )
}

function Column({ photos, className, round }: { photos: Photo[]; className: string; round: string }) {
  return (
    <div className={cx('flex flex-col', className)}>
      {photos.map(({ src, square }) => (
        <img
          key={src}
          src={src}
          alt=""
          width={320}
          height={square ? 320 : 400}
          loading="lazy"
          decoding="async"
          className={cx('w-full object-cover', round, square ? 'aspect-square' : 'aspect-4/5')}
        />
      ))}
    </div>
  )
}
