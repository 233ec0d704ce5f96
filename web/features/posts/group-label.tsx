import { UsersRound } from 'lucide-react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { screenPaths } from '#web/paths.ts'
import { cx } from '#web/ui/cx.ts'

export function GroupLabel({ group, className }: Pick<Post, 'group'> & { className?: string }) {
  if (!group) return null
  return (
    <p className={cx('flex items-start gap-2 text-meta leading-[1.25rem] text-text-2', className)}>
      <UsersRound aria-hidden size={16} strokeWidth={2.1} className="mt-0.5 flex-none" />
      <Link
        to={screenPaths.group(group.$id)}
        className="group min-w-0 [overflow-wrap:anywhere] max-md:-my-0.5 max-md:py-0.5"
      >
        {en('Posted in', 'Publicada en')}{' '}
        <span className="font-[650] text-brand-text underline-offset-3 group-hover:underline">
          {group.name}
        </span>
      </Link>
    </p>
  )
}
