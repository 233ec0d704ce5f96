import { useState } from 'react'
import type { Group } from '#contract/groups/groups.ts'
import { imageVariantWidthsPx } from '#contract/limits.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { cx } from '#web/ui/cx.ts'
import { avatarInitialsOf } from '#web/ui/images/avatar.tsx'
import { computeImageFocalPercent } from '#web/ui/images/detect-focal-point.ts'

type Props = { group: Pick<Group, 'name' | 'imageId'>; sizes: string; className: string }

/** The picture is decorative, because the name is beside it. */
export function GroupPicture({ group: { name, imageId }, sizes, className }: Props) {
  const [failed, setFailed] = useState<string>()
  const [focus, setFocus] = useState<number>()
  if (!imageId || failed === imageId) {
    return (
      <div
        aria-hidden
        className={cx(
          'heading grid place-items-center bg-linear-135 from-brand-soft to-accent-soft text-[3.375rem] leading-none font-[750] tracking-[-0.04em] text-brand-text',
          className,
        )}
      >
        {avatarInitialsOf(name)}
      </div>
    )
  }
  return (
    <div className={cx('overflow-hidden bg-linear-135 from-brand-soft to-accent-soft', className)}>
      <img
        alt=""
        src={imageVariantUrl(imageId, 640)}
        srcSet={imageVariantWidthsPx
          .map((width) => `${imageVariantUrl(imageId, width)} ${width}w`)
          .join(', ')}
        sizes={sizes}
        decoding="async"
        onLoad={({ currentTarget: image }) =>
          setFocus(computeImageFocalPercent(image, image.clientWidth / image.clientHeight))
        }
        onError={() => setFailed(imageId)}
        style={{ objectPosition: `50% ${focus ?? 50}%` }}
        className={cx(
          'size-full object-cover transition-opacity duration-200',
          focus === undefined && 'opacity-0',
        )}
      />
    </div>
  )
}
