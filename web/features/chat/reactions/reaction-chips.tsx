import type { Reaction, ReactionEmoji } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'
import { reactionNames } from './reaction-names.ts'

type Props = {
  reactions: readonly Reaction[]
  me: string
  mine: boolean
  onReact: ((emoji: ReactionEmoji) => void) | undefined
}

export function ReactionChips({ reactions, me, mine, onReact }: Props) {
  return (
    <span className={cx('relative -mt-1.5 flex gap-1', mine ? 'mr-3 self-end' : 'ml-[50px] md:ml-14')}>
      {reactions.map(({ emoji, by }) => {
        const own = by.includes(me)
        return (
          <button
            key={emoji}
            type="button"
            disabled={!onReact}
            aria-label={`${reactionNames[emoji]}, ${by.length}${own ? en(', yours', ', tuya') : ''}`}
            onClick={() => onReact?.(emoji)}
            className={cx(
              'hit-44 flex h-7 items-center gap-1.5 rounded-full border px-2 text-meta font-semibold tabular-nums after:-inset-x-[3px] after:-inset-y-[9px] motion-safe:animate-arrive',
              own ? 'border-brand bg-brand-soft text-brand' : 'border-border bg-surface text-text-2',
            )}
          >
            <span aria-hidden className="text-body leading-none">
              {emoji}
            </span>
            {by.length}
          </button>
        )
      })}
    </span>
  )
}
