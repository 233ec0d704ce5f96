import { useState } from 'react'
import type { Group } from '#contract/groups.ts'
import { imageWidths } from '#contract/limits.ts'
import { pictureUrl } from '#web/api.ts'
import { initialsOf } from '#web/ui/avatar.tsx'
import { classes } from '#web/ui/classes.ts'

type Props = { group: Pick<Group, 'name' | 'imageId'>; sizes: string; className: string }

/** Decorative beside the name: the group's picture, or its initials on a soft ground. */
export function GroupPicture({ group: { name, imageId }, sizes, className }: Props) {
  const [failed, setFailed] = useState<string>()
  if (!imageId || failed === imageId) {
    return (
      <div
        aria-hidden
        className={classes(
          'heading grid place-items-center bg-linear-135 from-brand-soft to-accent-soft text-[3.375rem] leading-none font-[750] tracking-[-0.04em] text-brand-text',
          className,
        )}
      >
        {initialsOf(name)}
      </div>
    )
  }
  return (
    <div className={classes('overflow-hidden bg-sunken', className)}>
      <img
        alt=""
        src={pictureUrl(imageId, 640)}
        srcSet={imageWidths.map((width) => `${pictureUrl(imageId, width)} ${width}w`).join(', ')}
        sizes={sizes}
        decoding="async"
        onError={() => setFailed(imageId)}
        className="size-full object-cover object-[50%_60%]"
      />
    </div>
  )
}
