import { UsersRound } from 'lucide-react'
import { Link } from 'react-router'
import type { Post } from '#contract/posts.ts'
import { paths } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'

/** The group that a post belongs to; of a public post nothing. */
export function PostedIn({ group, className }: Pick<Post, 'group'> & { className?: string }) {
  if (!group) return null
  return (
    <p className={classes('flex items-start gap-2 text-meta leading-5 text-text-2', className)}>
      <UsersRound aria-hidden size={16} strokeWidth={2.1} className="mt-0.5 flex-none" />
      <Link to={paths.group(group.$id)} className="group min-w-0 [overflow-wrap:anywhere]">
        Posted in{' '}
        <span className="font-[650] text-brand-text underline-offset-3 group-hover:underline">
          {group.name}
        </span>
      </Link>
    </p>
  )
}
