import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Avatar, type AvatarPerson } from './images/avatar.tsx'
import { Skeleton } from './skeleton.tsx'

const looks = {
  row: {
    name: 'line-clamp-2 wrap-anywhere text-label leading-[1.125rem] font-[640]',
    username: 'leading-[1.0625rem]',
  },
  title: { name: 'block truncate text-name leading-[1.25rem] font-[680]', username: undefined },
}

type Props = {
  person: AvatarPerson & { username: string }
  size?: number
  look?: keyof typeof looks
  /** An id for `aria-describedby`. */
  nameId?: string
  children?: ReactNode
}

/** The parent, usually a link, defines the layout. */
export function AvatarWithName({ person, size = 44, look = 'row', nameId, children }: Props) {
  return (
    <>
      <Avatar person={person} size={size} />
      <span className="min-w-0">
        <span id={nameId} className={looks[look].name}>
          {person.name}
        </span>
        <span className={cx('block truncate text-meta text-text-2', looks[look].username)}>
          {person.username && `@${person.username}`}
        </span>
        {children}
      </span>
    </>
  )
}

type SkeletonProps = {
  lines?: readonly [name: string, username: string]
  avatar?: string
  className?: string
}

export function PersonSkeleton({
  lines: [name, username] = ['h-3.5 w-2/5', 'h-3 w-1/4'],
  avatar = 'size-11',
  className,
}: SkeletonProps) {
  return (
    <div className={cx('flex items-center gap-3', className)}>
      <Skeleton className={cx('flex-none rounded-full', avatar)} />
      <div className="flex-1 space-y-2">
        <Skeleton className={name} />
        <Skeleton className={username} />
      </div>
    </div>
  )
}
