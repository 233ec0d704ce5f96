import { Link } from 'react-router'
import { isPathSegment, screenPaths } from '#web/paths.ts'
import { cx } from '#web/ui/cx.ts'

export function PostTags({ tags, className }: { tags: readonly string[]; className?: string }) {
  if (tags.length === 0) return null
  return (
    <ul
      className={cx(
        'flex flex-wrap gap-x-2.5 gap-y-0.5 text-label leading-[1.375rem] font-[550] text-accent',
        className,
      )}
    >
      {tags.map((tag, position) => (
        // A post may repeat a tag, so the key is the position.
        // biome-ignore lint/suspicious/noArrayIndexKey: a post's tags never change their order
        <li key={position} className="max-w-full [overflow-wrap:anywhere]">
          {isPathSegment(tag) ? (
            <Link to={screenPaths.tag(tag)} className="inline-block leading-[1.5rem] hover:underline">
              #{tag}
            </Link>
          ) : (
            `#${tag}`
          )}
        </li>
      ))}
    </ul>
  )
}
