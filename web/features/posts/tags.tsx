import { classes } from '#web/ui/classes.ts'

export function Tags({ tags, className }: { tags: readonly string[]; className?: string }) {
  if (tags.length === 0) return null
  return (
    <ul
      className={classes(
        'flex flex-wrap gap-x-2.5 gap-y-0.5 text-label leading-[22px] font-[550] text-accent',
        className,
      )}
    >
      {tags.map((tag, position) => (
        // A tag may stand twice: nothing removes repeats (conflict C-35).
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a post never changes its order
        <li key={position} className="max-w-full [overflow-wrap:anywhere]">
          #{tag}
        </li>
      ))}
    </ul>
  )
}
