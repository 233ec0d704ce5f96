import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { PersonSummary } from '#contract/people/people.ts'
import { screenPaths } from '#web/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'

type Props = {
  creator: PersonSummary
  /** CSS pixels. */
  size: number
  nameClassName?: string
  children: ReactNode
}

/** The avatar and the name are a single tab stop. */
export function PostAuthor({ creator, size, nameClassName, children }: Props) {
  return (
    <>
      <Link
        to={screenPaths.profile(creator.$id)}
        aria-label={creator.name}
        className="flex-none focus-visible:rounded-full"
      >
        <Avatar person={creator} size={size} />
      </Link>
      <div className="min-w-0 flex-1">
        <Link
          to={screenPaths.profile(creator.$id)}
          tabIndex={-1}
          className={cx(
            'inline-block max-w-full truncate align-top text-name font-[680] underline-offset-3 hover:underline max-md:-my-0.5 max-md:py-0.5',
            nameClassName,
          )}
        >
          {creator.name}
        </Link>
        {children}
      </div>
    </>
  )
}
